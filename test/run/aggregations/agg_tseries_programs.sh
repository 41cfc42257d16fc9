#@ what:    several programs that may interrupt each other add to one tseries(); each firing is in it or counted as a drop
#@ needs:   syscall python3
cat >"$TMP/check.py" <<'P'
import json, sys
series, plain, lost = 0, 0, 0
for line in sys.stdin:
    entry = json.loads(line)
    if "buckets" in entry:
        series += sum(value for time, value in entry["buckets"])
    elif entry["type"] == "agg":
        plain += entry["value"]
    elif entry["type"] == "drop":
        lost += entry["count"]
print(plain > 20000, series + lost - plain, lost < plain / 100)
P
# Messages about drops are not shown: the script reads the drops from the output.
for keys in '' '[cpu]'; do
    $DTRACE -x format=jsonl -qn "syscall::write:entry /pid == \$target/ { @s$keys = tseries(1, 100ms, 1000, \"sum\"); @n = count(); }
        syscall::write:return /pid == \$target/ { @s$keys = tseries(1, 100ms, 1000, \"sum\"); @n = count(); }
        profile-997hz { @s$keys = tseries(1, 100ms, 1000, \"sum\"); @n = count(); }" -c "$PROGS/writes 20000 16" 2>/dev/null | python3 "$TMP/check.py"
done
