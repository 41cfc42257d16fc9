#@ what:    SIGUSR1 prints the current tables of -x drops and -x cost in every format, and they print again at exit
#@ needs:   syscall
set -m
seen() { grep -c "$1" "$2"; }
for format in text jsonl csv folded; do
    : >"$TMP/out" >"$TMP/err"
    taskset -c 0 $DTRACE -x format=$format -x drops -x cost -x aggsize=16 -qn 'BEGIN { @[1] = count(); @[2] = count(); }' >"$TMP/out" 2>"$TMP/err" &
    pid=$!
    until ((0x0$(sed -n 's/^SigBlk:\s*//p' /proc/$pid/status) & 1 << 9)); do sleep 0.05; done
    for n in 1 2; do
        kill -USR1 $pid
        until (($(seen ^timed: "$TMP/err") == n)); do sleep 0.05; done
    done
    kill -TERM $pid
    wait $pid
    echo "$format: status $?, tables $(seen ' CAUSE$' "$TMP/err") $(seen ' 1  value of an aggregation  *aggregation: ' "$TMP/err") $(seen ' CLAUSE$' "$TMP/err")"
    echo "    records $(seen '"cause":"aggregation".*"count":1,' "$TMP/out") $(seen '"of":"tracer"' "$TMP/out") $(seen ^losses,aggregation,lost,1, "$TMP/out") $(seen ^cost,clause, "$TMP/out")"
done
