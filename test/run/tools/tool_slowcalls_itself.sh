#@ what:    slowcalls.d shows waits of other processes that its shell started, but none of its own
#@ needs:   syscall
# Traces this shell with its children. The tracer, which is a child too, must not trace itself.
"$DTRACE" -s slowcalls.d 1 1 -p $$ >"$TMP/shown" 2>"$TMP/err" &
tracer=$!
until grep -q COMMAND "$TMP/shown"; do sleep 0.02; done
until grep -Eq '^ +[0-9]+ pulse +(nanosleep|poll) ' "$TMP/shown"; do "$PROGS/pulse" >"$TMP/pulse"; done
kill -TERM $tracer
wait $tracer
cat "$TMP/err"
grep -E "^ +$tracer " "$TMP/shown"
echo "seen"
