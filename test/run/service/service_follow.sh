#@ what:    dtrace service follow prints new records of a script in its format until the script ends, for several readers at once
#@ needs:   profile python3
. ./service.bash
script it <<'X'
#pragma D option quiet
tick-5ms { printf("tick %d\n", n++); }
END { printf("over\n"); }
X
start
touch "$TMP/followed" "$TMP/text"
client follow it -x format=jsonl >"$TMP/followed" &
client follow it >"$TMP/text" &
until [ "$(wc -l <"$TMP/followed")" -gt 3 ] && [ "$(wc -l <"$TMP/text")" -gt 3 ]; do sleep 0.02; done
client detach it >/dev/null
wait %2 %3
echo "status $?"
python3 - "$TMP/followed" <<'X'
import json, sys
records = [json.loads(line) for line in open(sys.argv[1])]
texts = [json.dumps(record) for record in records]
print("ticks" if sum("tick " in text for text in texts) > 3 else texts)
print("and the end" if "over" in texts[-1] else texts[-1])
X
awk '/^tick/ { if (seen++ && $2 != last + 1) print "missing before", $2; last = $2 } END { print (seen > 3 ? "all in order, then " $0 : "too few") }' "$TMP/text"
stop
