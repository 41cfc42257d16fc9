#@ what:    aggregation keys for which the kernel has no memory count under drop reason aggregation_memory
#@ needs:   python3
#@ lost:    aggregation_memory
# A tick runs in an interrupt. Until the interrupt ends, the kernel cannot refill its reserve for new keys, about a hundred of each size.
count=600
clause=$(for i in $(seq $count); do printf '@[%d] = count(); ' "$i"; done)
$DTRACE -x format=jsonl -x drops -qn "tick-10ms { $clause exit(0); }" 2>/dev/null | python3 -c '
import json, sys
kept, lost = 0, {}
for entry in map(json.loads, sys.stdin):
    if entry["type"] == "agg":
        kept += entry["value"]
    elif entry["type"] == "losses" and entry["count"]:
        lost[entry["cause"]] = entry["count"]
print(sorted(lost), " all:", kept + sum(lost.values()) == int(sys.argv[1]), " kept:", kept > 0)' $count
