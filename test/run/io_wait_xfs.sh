#@ what:    io:::wait-start and wait-done: mount(8) waits for XFS's own buffers, here the headers of the allocation groups, a sector each
#@ needs:   xfs
truncate -s 320M disk.$$
mkfs.xfs -q -f -d agcount=4 disk.$$ && mkdir mnt.$$
dev=$(losetup -f --show disk.$$)
trap 'umount mnt.$$; losetup -d $dev; rm -rf disk.$$ mnt.$$' EXIT
# A quarter of the disk is a group of 163840 sectors; sectors 1 and 2 of each say what is free in it.
$DTRACE -qn 'io:::wait-start,io:::wait-done /progenyof($target) && args[1]->dev_statname == $$1 && (args[0]->b_blkno % 163840 == 1 || args[0]->b_blkno % 163840 == 2)/
{
	printf("%d %s %d %x %d %s %s\n", args[0]->b_blkno, probename, args[0]->b_bcount, args[0]->b_flags, args[0]->b_error, args[1]->dev_pathname, args[2]->fi_name);
}' ${dev#/dev/} -c "mount -t xfs $dev mnt.$$" | sed "s/${dev#/dev/}/loopN/;/^$/d" | sort -k1n -k2r | uniq
