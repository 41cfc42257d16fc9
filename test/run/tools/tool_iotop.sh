#@ what:    iotop.d shows the kilobytes that each process reads and writes, with the largest number first
#@ needs:   loop
truncate -s 1M "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
"$DTRACE" -s iotop.d -c "$PROGS/disk $dev w 0 4096 w 8192 8192 r 40960 4096" | sed "s/${dev#/dev/}/loopN/" | awk '$2 == "disk" && $3 == "loopN" { print $3, $4, $5 }'
