#@ what:    io:::done fires for a device that completes I/O (bios) without block requests, such as zram
#@ needs:   zram
n=$(cat /sys/class/zram-control/hot_add)
trap 'echo 1 >/sys/block/zram$n/reset; echo $n >/sys/class/zram-control/hot_remove' EXIT
echo 1M >/sys/block/zram$n/disksize
$DTRACE -qn 'io:::start,io:::done /pid == $target && args[1]->dev_statname == $$1/ { printf("%s %d %d %d\n", probename, args[0]->b_bcount, args[0]->b_blkno, args[0]->b_error); }' \
    zram$n -c "$PROGS/disk /dev/zram$n w 8192 4096 r 8192 4096" | sed '/^$/d'
