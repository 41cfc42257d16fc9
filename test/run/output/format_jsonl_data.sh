#@ what:    -x format=jsonl writes each kind of recorded value, such as number, string, bytes or stack, in its own JSON form
#@ needs:   python3
cat >"$TMP/check.py" <<'P'
import json, sys
for line in sys.stdin:
    entry = json.loads(line)
    for item in entry["data"]:
        if isinstance(item, dict) and "stack" in item:
            item = sorted(item), all(isinstance(frame, str) for frame in item["stack"]), len(item["stack"]) > 0
        print(json.dumps(item))
P
$DTRACE -x format=jsonl -s /dev/stdin <<'D' 2>&1 | grep -v ' matched ' | python3 "$TMP/check.py"
BEGIN { trace(-5); trace((uint8_t)200); trace((uint64_t)-1); trace("a\"b\\c\n"); printf("%d and %s\n", 7, "x"); }
BEGIN { p = (char *)alloca(4); p[0] = 'd'; p[1] = 1; tracemem(p, 4); stack(); trace("\303\251 \377"); }
BEGIN { trace(""); exit(0); }
D
