#@ what:    --estimate in JSON lines reports the cost of each probe, the sum, the parts of the memory, and missing tracing rights
#@ needs:   syscall python3
cat >"$TMP/check.py" <<'P'
import json, sys
entries = [json.loads(line) for line in sys.stdin]
of = lambda kind, what: [e for e in entries if (e["type"], e["of"]) == (kind, what)]
(trace,), (memory,), parts = of("estimate", "trace"), of("memory", "all"), of("memory", "kernel") + of("memory", "tracer")
for probe in of("estimate", "probe"):
    print(probe["name"].split(":")[2], probe["passed_permille"] >= 900, all(probe[n] > 0 for n in ("id", "firings_per_second", "program_ps", "cpu_ppm")))
    print("all of it:", abs(trace["cpu_ppm"] - probe["cpu_ppm"]) <= 1, abs(trace["machine_ppm"] * trace["cpus"] - trace["cpu_ppm"]) <= trace["cpus"])
print("trace:", trace["probes"], trace.get("fired"), trace.get("at_most"), trace.get("needs"))
print("detaching:", [e["detaching_ns"] > 0 for e in of("estimate", "detaching")])
print("memory:", memory["most_bytes"] == memory["kernel_bytes"] + memory["tracer_bytes"] == sum(p["most_bytes"] for p in parts),
      [p["most_bytes"] for p in parts if p["name"] == "output that is not yet written"])
P
$DTRACE -x format=jsonl --estimate=60s -n 'syscall::getpgid:entry /pid == $target/ { @[pid] = count(); trace(1); }' -c "$PROGS/storm 200000 1 0 getpgid" | python3 "$TMP/check.py"
$DTRACE -x format=csv --estimate=60s -n 'syscall::getpgid:entry /pid == $target/ { @[pid] = count(); trace(1); }' -c "$PROGS/storm 200000 1 0 getpgid" | tr -d '\r' >"$TMP/csv"
grep '^table' "$TMP/csv"
sed -n '/^table/!s/,.*//p' "$TMP/csv" | sort | uniq -c | awk '{ print $2, ($1 > 1 ? "several" : "one") }'
cp "$DTRACE" "$TMP/dtrace" && chmod 755 "$TMP" "$TMP/dtrace" && cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$TMP/dtrace" -x format=jsonl --estimate -n 'BEGIN { @[pid] = count(); }' | python3 "$TMP/check.py"
