#@ what:    -x hits counts filtered, recorded and lost hits for each clause, and adds them up for each probe
#@ needs:   syscall python3
$DTRACE -x hits -x bufsize=4k -x format=jsonl -qn '
    syscall::getppid:entry, syscall::getpgid:entry /pid == $target && ++n % 4 == 0/ { @ = count(); }
    syscall::getppid:entry /pid == $target/ { printf("%0500d", 1); }
    syscall::getppid:entry /pid == $target && n > 19990/ { m = *(int *)0; }
    syscall::getppid:entry /pid == $target && n < 0/ { @ = count(); }' -c "$PROGS/storm 20000 1" >"$TMP/out" 2>/dev/null
python3 - "$TMP/out" <<'END'
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
by_id = {row["id"]: row for row in rows if row["type"] == "clause_hits"}
share, other, prints, fails, never = (by_id[id] for id in range(5))
shown = sum(row["type"] == "record" and row["clause"] == 2 for row in rows)
print("add up:", all(row["fired"] == row["filtered"] + row["recorded"] + row["lost"] for row in by_id.values()))
print("fired:", {row["fired"] for row in (share, prints, fails, never)} == {share["fired"]}, share["fired"] >= 20000)
print("by a predicate:", share["recorded"], share["lost"], never["recorded"], never["filtered"] == never["fired"])
print("shown are recorded:", prints["recorded"] == shown, prints["recorded"] + prints["lost"], prints["lost"] > 0)
print("faults:", fails["recorded"] + fails["lost"])
END
