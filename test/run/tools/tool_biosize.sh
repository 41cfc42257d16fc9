#@ what:    biosize.d prints histograms of the sizes of disk writes and reads
#@ needs:   loop
truncate -s 1M "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
"$DTRACE" -s biosize.d "${dev#/dev/}" -c "$PROGS/disk $dev w 0 4096 w 8192 4096 w 65536 8192 r 40960 4096" | grep . | sed 's/ *$//'
