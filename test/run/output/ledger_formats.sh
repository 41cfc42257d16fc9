#@ what:    JSON lines and CSV list the drop reasons that occurred; with -x drops they also list the others
#@ needs:   python3
clause='BEGIN { @[1] = count(); @[2] = count(); exit(0); }'
for ledger in off on; do
    taskset -c 0 $DTRACE -x format=jsonl -x drops=$ledger -x aggsize=16 -qn "$clause" 2>/dev/null | grep '"type":"losses"' >"$TMP/lines"
    python3 -c 'import json, sys
rows = {r["cause"]: r for r in map(json.loads, sys.stdin)}
print(len(rows) > 1, [(r["cause"], r["count"], r["cpus"], r["to"] >= r["from"] > 0) for r in rows.values() if r["count"]], [r["cause"] for r in rows.values() if r["count"] is None])' <"$TMP/lines"
    taskset -c 0 $DTRACE -x format=csv -x drops=$ledger -x aggsize=16 -qn "$clause" 2>/dev/null | tr -d '\r' | grep -E '^(table,cause|losses,(aggregation|throttled|dynamic),)' | sed -E 's/,[0-9]{6,},[0-9]{6,},/,FROM,TO,/'
done
