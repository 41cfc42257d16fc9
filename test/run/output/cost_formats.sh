#@ what:    -x cost=TIME prints the cost report at this interval, also as JSON lines and CSV
#@ needs:   syscall python3
$DTRACE -x cost=100ms -x format=jsonl -qn 'syscall::getppid:entry /progenyof($target)/ { @ = count(); }' \
    -c "sh -c '$PROGS/syscalls getppid 50; sleep 1'" 2>"$TMP/err" >"$TMP/out"
grep '"type":"cost"' "$TMP/out" | python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(sorted({row["of"] for row in rows}))
last = [row for row in rows if row["of"] == "probe" and row["name"].endswith(":getppid:entry")][-1]
print(last["fired"] >= 50, 0 < last["timed"] <= last["fired"], last["mean_ps"] > 0, last["most"] >= last["p99"])
tracer = [row for row in rows if row["of"] == "tracer"][-1]
print(tracer["elapsed"] > 0, tracer["memory"] > 1 << 20, tracer["kernel_memory"] > 0, tracer["memory"] <= tracer["most_memory"], tracer["kernel_memory"] <= tracer["most_kernel_memory"])'
echo "tables: $(grep -c '^traced:' "$TMP/err" | awk '{ print ($1 >= 2) }')"
$DTRACE -x cost -x format=csv -qn 'syscall::getppid:entry /pid == $target/ { @ = count(); }' -c "$PROGS/syscalls getppid 50" 2>/dev/null |
    tr -d '\r' | awk -F, '/^table,of/ { print } /^cost,probe,.*getppid/ { print $3, ($4 >= 50) }'
