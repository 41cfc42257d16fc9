#@ what:    after SIGINT or SIGTERM, END runs, aggregations are printed, and the status is 0
#@ needs:   syscall
set -m
for signal in INT TERM; do
    : >"$TMP/out" # removes the output of the other signal's run
    $DTRACE -qn 'BEGIN { printf("ready\n"); @a = sum(42); } END { printf("end\n"); }' >"$TMP/out" 2>"$TMP/err" &
    pid=$!
    until grep -qs ready "$TMP/out"; do sleep 0.1; done
    kill -$signal $pid
    wait $pid
    echo "$signal $?"
    sed '/^$/d; s/^ *//' "$TMP/out"
    cat "$TMP/err"
done
