#@ what:    two signals within half a second count as one; a later second signal ends the tracer immediately, with a message about lost output
#@ needs:   syscall
set -m
begun() { until grep -qs begun "$TMP/out"; do sleep 0.05; done; }
trace() { rm -f "$TMP/out"; $DTRACE -qn "$1" >"$TMP/out" 2>"$TMP/err" & pid=$!; begun; }
for ((i = 0; i < 4; i++)); do
    trace 'BEGIN { printf("begun\n"); @ = sum(42); } END { printf("end\n"); }'
    kill -TERM $pid
    kill -INT $pid 2>/dev/null
    kill -TERM $pid 2>/dev/null
    wait $pid
    echo "status $?" $(cat "$TMP/out" "$TMP/err")
done
# The reader of the output has stopped, so the tracer cannot finish its output.
mkfifo "$TMP/pipe"
sleep 1000 <>"$TMP/pipe" &
reader=$!
disown
$DTRACE -qn 'BEGIN { printf("begun %0200000d\n", 1); } END { trace(*(int *)8); }' >"$TMP/pipe" 2>"$TMP/err" &
pid=$!
head -c 5 <"$TMP/pipe" >/dev/null
kill -INT $pid
sleep 0.6
until grep -qs 'invalid address' "$TMP/err"; do sleep 0.05; done # the fault of END is reported although the reader has stopped
kill -INT $pid
wait $pid
echo "status $?" "$(tail -n 1 "$TMP/err")"
kill $reader
