#@ what:    dtrace -a prints only the last records of a trace that --anonymous started with bufpolicy=ring
. ./anonymous.bash
cp "$PROGS/write_sizes" "$TMP/boot_ring"
$DTRACE -A -qn 'syscall::write:entry /execname == "boot_ring" && arg0 == 3/ { printf("size %d\n", arg2); }' -x bufpolicy=ring -b 4k 2>/dev/null
$DTRACE --anonymous
taskset -c 0 "$TMP/boot_ring" $(seq 1 20000) 31415
$DTRACE -a -e | grep . >"$TMP/printed"
tail -n 1 "$TMP/printed"
awk '$2 < 10000' "$TMP/printed" | wc -l
