#@ what:    -x format=jsonl prints one JSON object on each line, with the fields that dtrace-output(7) documents
#@ needs:   syscall python3
cat >"$TMP/check.py" <<'P'
import datetime, json, sys
FIELDS = {
    "record": {"type", "ts", "time", "cpu", "id", "probe", "clause", "data"},
    "agg": {"type", "name", "func", "keys"},
    "error": {"type", "ts", "time", "cpu", "id", "probe", "clause", "message", "fault", "code", "value", "pc"},
    "drop": {"type", "kind", "count", "message", "cpu"},
    "note": {"type", "tag", "message", "bytes"},
    "losses": {"type", "cause", "kind", "unit", "message", "count", "from", "to", "cpus"},
    "clause_hits": {"type", "id", "clause", "fired", "filtered", "recorded", "lost"},
    "hits": {"type", "id", "probe", "fired", "filtered", "recorded", "lost", "sampled_out"},
}
seen = {}
for line in sys.stdin:
    entry = json.loads(line)
    kind = entry["type"]
    fields = set(entry)
    if kind == "agg":
        fields -= {"value", "buckets"}
    if fields != FIELDS[kind]:
        print("unexpected fields in", line)
    seen.setdefault(kind, []).append(entry)
start, now = sys.argv[1], datetime.datetime.utcnow().isoformat() + "999Z"
print("by the clock:", all(start < e["time"] < now and len(e["time"]) == 30 for e in seen["record"] + seen["error"]))
print(sorted(seen))
print(sorted({entry["func"] for entry in seen["agg"]}))
print([(e["fault"], e["code"], e["value"]) for e in seen["error"]])
print([(e["kind"], e["count"]) for e in seen["drop"]])
print([(e["tag"], e["bytes"]) for e in seen["note"]])
print([(e["cause"], e["kind"], e["count"], sum(e["cpus"].values()), e["from"] <= e["to"]) for e in seen["losses"]])
print([(e["probe"], e["fired"], e["recorded"]) for e in seen["hits"]])
print([(e["id"], e["clause"], e["fired"], e["recorded"], e["lost"]) for e in seen["clause_hits"]])
P
start=$(date -u +%Y-%m-%dT%H:%M:%S.%NZ)
$DTRACE -x format=jsonl -x aggsize=16 -x hits -qn 'BEGIN { trace(1); @c = count(); @s = sum(2); @a = avg(3); @i = min(4); @x = max(5); @d = stddev(6);
        @q = quantize(7); @l = lquantize(8, 0, 10); @ll = llquantize(9, 10, 0, 3, 10); @h = hquantize(9, 3); @k["k"] = count(); @k2[1] = count(); @k2[2] = count(); }
    BEGIN { zero = 0; trace(1 / zero); } BEGIN { exit(0); }' 2>"$TMP/err" | python3 "$TMP/check.py" "$start"
grep -c '^dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): divide-by-zero' "$TMP/err"
grep -c '^dtrace: 1 aggregation drop on CPU' "$TMP/err"
