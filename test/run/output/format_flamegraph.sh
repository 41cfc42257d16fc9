#@ what:    -x format=flamegraph draws each of two busy functions as wide as its number of samples
#@ needs:   profile python3
#@ timeout: 60
# The clause also counts the samples of each function by program counter. Samples in code that both functions call may
# be attributed to either function.
size() { echo "0x$(nm -S "$PROGS/two_burners" | awk -v name="$1" '$4 == name { print $2 }')"; }
$DTRACE -w -x format=flamegraph -o "$TMP/graph.svg" -qn 'int in_long, in_short, all;
    profile-997 /pid == $target && arg1 != 0/
    {
        @[ustack()] = count();
        all++;
        in_long += arg1 - (uintptr_t)&``burn_long < $1;
        in_short += arg1 - (uintptr_t)&``burn_short < $2;
    }
    END { system("echo %d %d %d >%s", in_long, in_short, all, $$3); }' "$(size burn_long)" "$(size burn_short)" "$TMP/counted" -c "$PROGS/two_burners 1500"
cat >"$TMP/check.py" <<'P'
import re, sys, xml.etree.ElementTree as xml
boxes, samples = {}, {}
for group in xml.parse(sys.argv[1]).getroot().iterfind(".//{*}g"):
    rect = group.find("{*}rect")
    name = group.get("data-n")
    boxes[name] = float(rect.get("width")), float(rect.get("y")), float(rect.get("x"))
    samples[name] = int(re.search(r"\((\d+) samples", group.find("{*}title").text).group(1))
counted_long, counted_short, counted = map(int, open(sys.argv[2]).read().split())
others = counted - counted_long - counted_short
long, short, main = boxes["burn_long"], boxes["burn_short"], boxes["main"]
print("counted:", samples["all"] == counted and 0 < counted_long <= samples["burn_long"] <= counted_long + others
      and 0 < counted_short <= samples["burn_short"] <= counted_short + others)
print("as wide as many:", all(abs(boxes[name][0] - boxes["all"][0] * samples[name] / counted) < 0.1 for name in ("main", "burn_long", "burn_short")))
print("above main:", long[1] == short[1] < main[1])
print("inside main:", all(main[2] <= box[2] and box[2] + box[0] <= main[2] + main[0] + 0.02 for box in (long, short)))
print("all:", boxes["all"][0])
P
python3 "$TMP/check.py" "$TMP/graph.svg" "$TMP/counted"
grep -c 'http' "$TMP/graph.svg" # only the XML namespace: the page loads nothing from the network
