#@ what:    io:::wait-start fires before a program waits for a disk request, and io:::wait-done after the wait
#@ needs:   loop kprobe
truncate -s 1M $TMP/disk
dev=$(losetup -f --show $TMP/disk)
trap 'losetup -d $dev' EXIT
$DTRACE -qn 'int same, done; io:::start,io:::wait-start,io:::wait-done /pid == $target && args[1]->dev_statname == $$1/
{
	printf("%s %d %d %d %s %s\n", probename, args[0]->b_bcount, probename == "wait-done" ? 0 : args[0]->b_blkno, args[0]->b_flags & B_WRITE, args[1]->dev_pathname, args[2]->fi_pathname);
}
io:::wait-start /pid == $target/ { bio = arg0; }
io:::wait-done /pid == $target/ { same += bio == arg0; }
io:::done /arg0 == bio/ { done++; }
END { printf("%d %d\n", same, done); }' ${dev#/dev/} -c "$PROGS/disk $dev w 12288 4096 r 40960 8192" | sed "s/loop${dev#/dev/loop}\b/loopN/g;/^$/d"
