#@ what:    format=flamegraph: a program that spends 3/4 of its time in one function and 1/4 in another looks like it
#@ needs:   profile
#@ timeout: 60
$DTRACE -x format=flamegraph -o "$TMP/graph.svg" -qn 'profile-997 /pid == $target && arg1 != 0/ { @[ustack()] = count(); }' -c "$PROGS/two_burners 1500"
cat >"$TMP/check.py" <<'P'
import sys, xml.etree.ElementTree as xml
boxes = {}
for group in xml.parse(sys.argv[1]).getroot().iterfind(".//{*}g"):
    rect = group.find("{*}rect")
    boxes[group.get("data-n")] = float(rect.get("width")), float(rect.get("y")), float(rect.get("x"))
long, short, main = boxes["burn_long"], boxes["burn_short"], boxes["main"]
print("ratio of three:", 2.2 < long[0] / short[0] < 4)
print("above main:", long[1] == short[1] < main[1])
print("inside main:", all(main[2] <= box[2] and box[2] + box[0] <= main[2] + main[0] + 0.02 for box in (long, short)))
print("all:", boxes["all"][0])
P
python3 "$TMP/check.py" "$TMP/graph.svg"
grep -c 'http' "$TMP/graph.svg" # the name space and nothing that would be loaded
