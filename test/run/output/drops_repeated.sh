#@ what:    repeated drops print ten lines for each kind and CPU, and then sums that include all drops
#@ needs:   profile python3
DTRACE_REPRODUCIBLE= $DTRACE -x aggsize=16 -x switchrate=5ms -x format=jsonl -o "$TMP/lines" -qn 'tick-10ms { @[n++] = count(); } tick-10ms /n == 200/ { exit(0); }' 2>"$TMP/err"
awk '/ aggregation drops? on CPU [0-9]+$/ { lines++; n += $2 } END { print (lines <= 11 ? "few lines" : lines " lines"), n }' "$TMP/err"
grep -o 'lost: .*' "$TMP/err"
python3 -c 'import json, sys
drops = [line for line in map(json.loads, sys.stdin) if line["type"] == "drop"]
print(len(drops) <= 11, sum(drop["count"] for drop in drops))' <"$TMP/lines"
DTRACE_REPRODUCIBLE=1 $DTRACE -x aggsize=16 -x switchrate=5ms -qn 'tick-10ms { @[n++] = count(); } tick-10ms /n == 200/ { exit(0); }' 2>&1 | grep -c 'aggregation drops\? on CPU' | awk '{ print ($1 > 20 ? "each" : $1) }'
