#@ what:    -x format=jsonl writes a gap object with CPU and times where records were dropped, and the gaps contain all drops
#@ needs:   syscall python3
$DTRACE -x format=jsonl -x bufsize=4k -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", self->n++); }' -c "$PROGS/storm 100000 1" 2>"$TMP/err" | python3 -c '
import json, sys
former, waiting, gaps, wrong, lost = {}, {}, 0, 0, 0
for entry in map(json.loads, sys.stdin):
    if entry["type"] == "gap":
        wrong += entry["from"] > entry["to"] or (entry["cpu"] in former and entry["from"] != former[entry["cpu"]])
        waiting[entry["cpu"]] = entry["to"]
        gaps += entry["count"]
    elif entry["type"] == "record":
        wrong += waiting.pop(entry["cpu"], entry["ts"]) != entry["ts"]
        former[entry["cpu"]] = entry["ts"]
    elif entry["type"] == "losses":
        lost += entry["count"]
print("gaps:", gaps > 0, " as many as are lost:", gaps == lost, " in the wrong place:", wrong)'
[ "$(awk '/ drops? on CPU/ { n += $2 } END { print n }' "$TMP/err")" = "$(sed -n 's/,//g; s/^dtrace: lost: \([0-9]*\) .*/\1/p' "$TMP/err")" ] && echo "as drops tell"
