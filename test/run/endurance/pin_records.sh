#@ what:    with -x pin, each record is printed or counted as lost, including records written while no tracer runs
#@ lost:    tracer
#@ needs:   syscall python3
. ./pinned.bash
trace() { exec $DTRACE -x pin=records$$ -x pintimeout=10m -x drops -x format=jsonl -o "$TMP/out" -qn 'BEGIN { printf("begun"); } syscall::getsid:entry /execname == "'pin$$'"/ { @n = count(); trace(1); }'; }
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/out" begun
"$TMP/pin$$" 3000000 1 0 getsid & storm=$!
until_says "$TMP/out" '"data":\[.*1'
killed $tracer
wait $storm
trace 2>"$TMP/err" & tracer=$!
until_says "$TMP/err" 'continues'
"$TMP/pin$$" 10 1 0 getsid
kill -TERM $tracer
wait $tracer
cat >"$TMP/check.py" <<'P'
import json, sys
fired, printed, lost = 0, 0, {}
for line in open(sys.argv[1]):
    try:
        row = json.loads(line)
    except ValueError: # the line that the tracer was writing when it was killed
        continue
    if row.get("type") == "agg":
        fired = row["value"]
    elif row.get("type") == "losses" and row["count"] and row["cause"] != "recursion": # not part of the probe hits
        lost[row["cause"]] = row["count"]
    elif "getsid" in str(row.get("probe")):
        printed += 1
print("fired:", fired)
print("causes:", sorted(lost))
missing = fired - printed - sum(lost.values())
print("what is printed and what is lost:", "all of it" if -MOST <= missing <= 0 else (fired, printed, lost))
P
# If a tracer is killed after it has printed records and before it has marked them as read, these records are also
# counted as lost.
sed -i "s/MOST/200000/" "$TMP/check.py"
python3 "$TMP/check.py" "$TMP/out"
