#@ what:    sysinfo:::lread fires as often as the kernel's event for a cached file system block
#@ needs:   loop ext4
truncate -s 8M $TMP/disk && mkfs.ext4 -q $TMP/disk && mkdir $TMP/mnt
dev=$(losetup -f --show $TMP/disk)
trap 'umount $TMP/mnt; losetup -d $dev' EXIT
$DTRACE -qn 'int reads, seen; sysinfo:::lread /pid == $target/ { reads += arg0; } rawtp:block::block_touch_buffer /pid == $target/ { seen++; }
END { printf("%d %d\n", reads > 0, reads - seen); }' -c "mount -t ext4 $dev $TMP/mnt" | grep .
