#@ what:    io:::start and io:::done fire once for each disk request, with size, position, direction, device and partition
#@ needs:   loop
truncate -s 1M $TMP/disk
dev=$(losetup -Pf --show $TMP/disk)
trap 'losetup -d $dev' EXIT
addpart $dev 1 8 64 # sectors 8 to 71
cat >$TMP/disk.d <<'D'
io:::start /pid == $target && args[1]->dev_minor == $1/ { mine[arg0] = 1; }
io:::start,io:::done /mine[arg0]/
{
	printf("%s %x %d %d %d %d\n", probename, args[0]->b_flags, args[0]->b_bcount, args[0]->b_bufsize, args[0]->b_blkno, args[0]->b_lblkno);
	printf(" %p %d %d %d ", args[0]->b_addr, args[0]->b_resid, args[0]->b_error, args[0]->b_iodone != NULL);
	printf("%d %d %d\n", args[0]->b_edev == $1 + (7 << 20), args[1]->dev_major, args[1]->dev_instance);
	printf(" %s %s %s\n", args[1]->dev_name, args[1]->dev_statname, args[1]->dev_pathname);
	printf(" %s %s %s %s %s %d %d\n", args[2]->fi_name, args[2]->fi_dirname, args[2]->fi_pathname, args[2]->fi_fs, args[2]->fi_mount, args[2]->fi_offset, args[2]->fi_oflags);
}
io:::done /mine[arg0]/ { mine[arg0] = 0; }
io:::start,io:::done /args[1]->dev_major == 259 && args[1]->dev_statname == $$2/ { printf("%s %d %s\n", probename, args[0]->b_blkno, args[1]->dev_pathname); }
D
$DTRACE -qs $TMP/disk.d ${dev#/dev/loop} ${dev#/dev/}p1 -c "$PROGS/disk $dev w 12288 4096 r 40960 8192 f" | sed "s/loop${dev#/dev/loop}\b/loopN/g;/^$/d"
$DTRACE -qs $TMP/disk.d 4096 ${dev#/dev/}p1 -c "$PROGS/disk ${dev}p1 w 4096 4096" | sed "s/loop${dev#/dev/loop}p/loopNp/g;/^$/d"
