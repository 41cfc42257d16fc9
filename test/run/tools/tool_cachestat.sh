#@ what:    cachestat.d counts the first read of a file as a miss and the second one as a hit
#@ needs:   loop
truncate -s 256K "$TMP/disk"
dev=$(losetup -f --show "$TMP/disk")
trap 'losetup -d $dev' EXIT
exec 3<"$dev" # keeps the device open, because the kernel drops its cache otherwise
for _ in 1 2; do
    # The kernel may also read the program dd from disk, and may have dropped some data of the device from its cache.
    "$DTRACE" -s cachestat.d -n 'io:::start /pid == $target && (args[0]->b_flags & B_READ) && args[1]->dev_statname != "'"${dev#/dev/}"'"/ { @itself = sum(args[0]->b_bcount); }
        END { printa("itself %@d\n", @itself); }' -c "/bin/dd if=$dev of=/dev/null bs=64k status=none" |
        awk '$1 == "dd" { read = $3; disk = $4 } $1 == "itself" { itself = $2 / 1024 } END { print (read >= 256 && read < 300), disk - itself < 256 ? "less" : disk - itself }'
done
