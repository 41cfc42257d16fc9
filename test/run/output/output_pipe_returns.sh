#@ what:    -o to a named pipe keeps output while the pipe has no reader, and the next reader gets it
#@ needs:   profile
set -m
mkfifo "$TMP/pipe"
$DTRACE -o "$TMP/pipe" -qn 'tick-20ms { printf("%d\n", n++); }' 2>"$TMP/err" &
head -n 3 <"$TMP/pipe"
until grep -q 'cannot write output' "$TMP/err"; do sleep 0.05; done
cat "$TMP/pipe" >"$TMP/second" &
until grep -q 'output continues' "$TMP/err"; do sleep 0.05; done
kill -TERM %1
wait %1
echo "status $?"
wait %2
awk 'NF && NR > 1 && $1 != last + 1 { wrong = 1 } { last = $1 } END { print (NR > 10 && !wrong ? "all in order" : "missing") }' <(grep . "$TMP/second")
cat "$TMP/err"
# If the output is an unnamed pipe, the run ends when the reader closes the pipe.
$DTRACE -qn 'tick-20ms { printf("%d\n", n++); }' 2>&1 | head -n 2
echo "status ${PIPESTATUS[0]}"
