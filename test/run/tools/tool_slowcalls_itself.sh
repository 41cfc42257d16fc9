#@ what:    slowcalls.d shows what others of a tree wait for, and never itself
#@ needs:   syscall
# It is a child of this shell, as the program whose calls are seen.
"$DTRACE" -s slowcalls.d 1 1 -p $$ >"$TMP/shown" 2>"$TMP/err" &
tracer=$!
until grep -q COMMAND "$TMP/shown"; do sleep 0.02; done
until grep -Eq '^ +[0-9]+ pulse +(nanosleep|poll) ' "$TMP/shown"; do "$PROGS/pulse" >"$TMP/pulse"; done
kill -TERM $tracer
wait $tracer
cat "$TMP/err"
grep -E "^ +$tracer " "$TMP/shown"
echo "seen"
