#@ what:    iolatency.d counts each disk request in the histogram for its device and direction
#@ needs:   loop
truncate -s 1M "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
"$DTRACE" -s iolatency.d -c "$PROGS/disk $dev w 0 4096 w 8192 4096 w 16384 4096 r 40960 8192" | sed "s/${dev#/dev/}/loopN/" |
    awk '/microseconds/ { if (what) print what, n; what = $1 " " $2; n = 0 } / \|/ { n += $NF } END { print what, n }' | grep '^loopN' | sort # other disks may appear, because programs are read from them
