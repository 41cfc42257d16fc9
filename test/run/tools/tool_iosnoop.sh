#@ what:    iosnoop.d shows each request of a disk with direction, position and size
#@ needs:   loop
truncate -s 1M "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
for device in "${dev#/dev/}" other; do
    "$DTRACE" -s iosnoop.d "$device" -c "$PROGS/disk $dev w 12288 4096 r 40960 8192" | sed "s/${dev#/dev/}/loopN/" |
        awk '$5 == "loopN" { print $4, $6, $7, $8, $9, ($2 > 0) } /requests/'
done
