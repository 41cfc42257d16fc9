#@ what:    records that do not fit into an mmap ring go to the kernel's ring buffer; records that fit into neither count under drop reason buffer
#@ lost:    buffer
#@ needs:   syscall python3
cp "$PROGS/storm" "$TMP/lane$$"
$DTRACE -x format=jsonl -x drops -b 2m -o "$TMP/out" -qn 'syscall::getppid:entry /execname == "lane'$$'"/ { @ = count(); trace(1); }' 2>"$TMP/err" &
tracer=$!
trap 'kill -CONT $tracer; kill -TERM $tracer' EXIT
# Waits until the tracer has an mmap ring, a map of slightly more than two megabytes. A map used while loading has the same size, but is gone once there are records. The loop is bounded, because the caller of this test may have ended and removed its folder.
rounds=0
until [[ -s $TMP/out ]] && grep -qsE 'value_size:\s2[0-9]{6}$' "/proc/$tracer/fdinfo/"*; do
    ((++rounds < 10000)) && kill -0 $tracer && "$TMP/lane$$" 1000 || exit 1
done
kill -STOP $tracer # the reader stops
"$TMP/lane$$" 300000 2
kill -CONT $tracer
kill -TERM $tracer
wait $tracer
trap - EXIT
python3 -c '
import json, sys
fired, printed, lost = 0, 0, {}
for entry in map(json.loads, sys.stdin):
    if entry["type"] == "agg":
        fired = entry["value"]
    elif entry["type"] == "losses" and entry["count"] and entry["cause"] != "recursion": # not part of the probe hits
        lost[entry["cause"]] = entry["count"]
    elif "getppid" in str(entry.get("probe")):
        printed += 1
print(sorted(lost), " all:", fired == printed + sum(lost.values()), " some:", printed > 0)' <"$TMP/out"
