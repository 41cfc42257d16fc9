#@ what:    with -x aggttl, old keys expire, so a kernel map for 2,000 keys can count 20,000 successive keys, and no count is lost
#@ needs:   syscall
#@ timeout: 120
set -m
cp "$PROGS/storm" "$TMP/ttl_churn"
# The kernel uses 112 bytes for each 16-byte key, so 224,000 bytes hold 2,000 keys.
$DTRACE -x aggttl=20ms -x aggevery=20ms -x memlimit=224000 -x format=jsonl -o "$TMP/out" -qn 'BEGIN { @["begun"] = count(); }
    syscall::getppid:entry /execname == "ttl_churn"/ { @keys[pid, self->i++] = count(); }' 2>"$TMP/err" &
tracer=$!
until grep -q agg "$TMP/out" 2>/dev/null; do sleep 0.02; done
for ((part = 1; part <= 20; part++)); do
    "$TMP/ttl_churn" 1000
    until tail -3 "$TMP/out" | grep -q "\"name\":\"keys\".*\"gone\":true,\"value\":${part}000}"; do sleep 0.02; done
done
kill -TERM $tracer
wait $tracer
tail -1 "$TMP/out" | sed 's/.*"name":"keys"/"keys"/'
grep -v 'expire sooner' "$TMP/err"
true
