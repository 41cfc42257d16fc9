#@ what:    io:::wait-start and io:::wait-done fire for each one-sector buffer that mounting an XFS file system waits for
#@ needs:   xfs
truncate -s 320M $TMP/disk
mkfs.xfs -q -f -d agcount=4 $TMP/disk && mkdir $TMP/mnt
dev=$(losetup -f --show $TMP/disk)
trap 'umount $TMP/mnt; losetup -d $dev' EXIT
# Each quarter of the disk is an allocation group of 163840 sectors, whose sectors 1 and 2 describe its free space.
$DTRACE -qn 'io:::wait-start,io:::wait-done /progenyof($target) && args[1]->dev_statname == $$1 && (args[0]->b_blkno % 163840 == 1 || args[0]->b_blkno % 163840 == 2)/
{
	printf("%d %s %d %x %d %s %s\n", args[0]->b_blkno, probename, args[0]->b_bcount, args[0]->b_flags, args[0]->b_error, args[1]->dev_pathname, args[2]->fi_name);
}' ${dev#/dev/} -c "mount -t xfs $dev $TMP/mnt" | sed "s/${dev#/dev/}/loopN/;/^$/d" | sort -k1n -k2r | uniq
