#@ what:    cachestat.d: what is read for the first time comes from the disk, the second time it does not
#@ needs:   loop
truncate -s 256K "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
exec 3<"$dev" # the cache of a device is dropped when nobody has it open
for _ in 1 2; do # the program itself may have to come from the disk as well, a part of it
    "$DTRACE" -s cachestat.d -c "/bin/dd if=$dev of=/dev/null bs=64k status=none" | awk '$1 == "dd" { print ($3 >= 256 && $3 < 300), ($4 >= 256 ? "disk" : $4 < 128 ? "cache" : $4) }'
done
