#@ what:    with default options, each of a million distinct keys is counted once or reported as a drop
#@ needs:   syscall alone
#@ timeout: 120
count=1000000
[ -n "$DTRACE_GUEST" ] && count=100000
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { @[tid, self->i++] = count(); } END { printa("%d %d %@d\n", @); }' \
    -c "$PROGS/storm $count 2" >"$TMP/out" 2>"$TMP/err"
printed=$(awk 'NF == 3 && $3 == 1 { n++ } END { print n + 0 }' "$TMP/out")
wrong=$(awk 'NF == 3 && $3 != 1' "$TMP/out" | wc -l)
dropped=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq "$count" ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped, $count produced"
[ "$wrong" -eq 0 ] && echo "none counted twice"
if [ "$dropped" -eq 0 ] || grep -q 'raise option aggsize' "$TMP/err"; then echo "no drop without a remedy"; fi
