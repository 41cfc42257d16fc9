#@ what:    bufinfo_t, devinfo_t and fileinfo_t translated from a buffer_head describe a 1024-byte block of the mounted device
#@ needs:   loop ext4
truncate -s 8M $TMP/disk && mkfs.ext4 -q -b 1024 $TMP/disk && mkdir $TMP/mnt
dev=$(losetup -f --show $TMP/disk)
trap 'umount $TMP/mnt; losetup -d $dev' EXIT
$DTRACE -qn 'rawtp:block::block_touch_buffer /pid == $target && !seen++/ {
    this->b = (struct buffer_head *)arg0;
    printf("%d %d %d %d %d %d\n", xlate <bufinfo_t> (this->b).b_bcount, xlate <bufinfo_t> (this->b).b_bufsize, xlate <bufinfo_t> (this->b).b_resid,
        xlate <bufinfo_t> (this->b).b_error, xlate <bufinfo_t> (this->b).b_blkno < 8192, xlate <bufinfo_t> (this->b).b_addr != 0);
    printf("%d %d\n", xlate <bufinfo_t> (this->b).b_lblkno == this->b->b_blocknr,
        getmajor(xlate <bufinfo_t> (this->b).b_edev) == xlate <devinfo_t> (this->b).dev_major);
    printf("%s %d\n", xlate <devinfo_t> (this->b).dev_pathname == $$1 ? "the device" : "another", xlate <devinfo_t> (this->b).dev_major);
    printf("%s %d\n", xlate <fileinfo_t> (this->b).fi_pathname, xlate <fileinfo_t> (this->b).fi_offset);
}' $dev -c "mount -t ext4 $dev $TMP/mnt" | grep .
