#@ what:    -a that ignores SIGHUP, as under nohup, goes on after a SIGHUP
. ./anonymous.bash
cp "$PROGS/write_sizes" "$TMP/after_it"
$DTRACE -A -qn 'BEGIN { printf("kept\n"); }
    syscall::write:entry /execname == "after_it" && arg0 == 3/ { printf("came\n"); exit(5); }' 2>/dev/null
$DTRACE --anonymous
(trap '' HUP; exec $DTRACE -a -o "$TMP/printed" 2>"$TMP/said") & tracer=$!
until grep -qs kept "$TMP/printed"; do sleep 0.02; done
kill -HUP $tracer
# a signal that is not ignored is pending until the tracer reads it
until grep -q '^ShdPnd:[[:space:]]*0*$' "/proc/$tracer/status" 2>/dev/null || ! kill -0 $tracer; do sleep 0.02; done
"$TMP/after_it" 1 16 16 4096 >/dev/null
wait $tracer
echo "status $?"
cat "$TMP/printed" "$TMP/said"
