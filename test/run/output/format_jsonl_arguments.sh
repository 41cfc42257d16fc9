#@ what:    -x format=jsonl prints the arguments of printf() without padding beside the formatted text
#@ needs:   python3
cat >"$TMP/check.py" <<'P'
import json, sys
for line in sys.stdin:
    entry = json.loads(line)
    print(json.dumps(entry["data"]), json.dumps(entry.get("args")))
P
$DTRACE -x format=jsonl -s /dev/stdin <<'D' 2>/dev/null | python3 "$TMP/check.py"
BEGIN { printf("%d and %s\n", -7, "x"); }
BEGIN { trace(1); printf("%*d", 4, 5); printf("none"); }
BEGIN { trace(2); exit(0); }
D
