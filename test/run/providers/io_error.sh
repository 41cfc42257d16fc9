#@ what:    b_error in io:::done is the error of a failed write
#@ needs:   loop
mkdir $TMP/full && mount -t tmpfs -o size=64k none $TMP/full
truncate -s 1M $TMP/full/disk
dev=$(losetup -f --show $TMP/full/disk)
trap 'losetup -d $dev; umount $TMP/full; rmdir $TMP/full' EXIT
head -c 60k /dev/zero >$TMP/full/filler
$DTRACE -qn 'io:::start /pid == $target/ { mine[arg0] = 1; } io:::done /mine[arg0]/ { printf("%d %d\n", args[0]->b_bcount, args[0]->b_error); mine[arg0] = 0; }' \
    -c "$PROGS/disk $dev w 0 4096 w 524288 8192" | awk 'NF == 1 { seen = $1 } NF == 2 { told[$1] = $2 } END { print told[4096], (seen > 0), (told[8192] == seen) }'
