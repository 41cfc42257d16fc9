#@ what:    -x followchildren=exec misses no early call of children, also in static programs, and wait(2) in their parents reports no additional stop
cat >"$TMP/in" <<EOF
for each in 1 2 3 4 5 6 7 8 9 10; do $PROGS/calls 35 >/dev/null; done
EOF
$DTRACE -Z -x followchildren=exec -qn 'pid$target:calls:add8:entry { @ = count(); } END { printa("%@d\n", @); }' -c "sh $TMP/in"
$DTRACE -Z -x followchildren=exec -qn 'pid$target:deep_static:make_call:entry { @ = count(); } END { printa("%@d\n", @); }' -c "sh -c '$PROGS/deep_static call; $PROGS/deep_static call'"
$DTRACE -Z -x followchildren=exec -qn 'pid$target:libcalled*:called:entry { @ = count(); } END { printa("%@d\n", @); }' -c "$PROGS/waiter 3 $PROGS/opener $PROGS/libcalled.so"
