#@ what:    -x annotate shows below each statement its machine code and the number of CPU samples, which is larger for an expensive statement
#@ needs:   syscall python3
program='syscall::getppid:entry /pid == $target/ { n++; } syscall::getppid:entry /pid == $target/ { @[ustack(), execname] = count(); }
    syscall::getppid:entry /pid == $target && n == 100000/ { exit(0); }'
$DTRACE --annotate -x format=jsonl -qn "$program" -c "$PROGS/storm 1000000 1" 2>"$TMP/err" | grep '"type":"annotation"' | python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
run = [row for row in rows if row["of"] == "run"][0]
clauses = [row for row in rows if row["of"] == "clause"]
for text in sorted({row["text"] for row in clauses}):
    print("part:", text)
cost = {row["text"]: row["own"] + row["called"] for row in clauses}
print("dear:", cost["@[ustack(), execname] = count()"] > cost["n++"])
print("met:", 0 < run["in_programs"] <= run["samples"], run["problem"] == "")
print("sum:", sum(cost.values()) <= run["in_programs"], all(row["own"] == sum(each["own"] for each in row["instructions"]) for row in rows if "instructions" in row))
dear = [each for row in clauses if row["text"].startswith("@[ustack") for each in row["instructions"]]
print("calls:", any(each["called"] > 0 and each["text"].startswith(("call vmlinux`", "blr vmlinux`")) for each in dear))
print("fired:", min(row["fired"] for row in clauses) >= 20000) # an estimate, on a busy machine'
awk '/^ *%.* syscall::getppid:entry: / { ++clauses } / n\+\+$/ || / @\[ustack\(\), execname\] = count\(\)$/ { ++parts } /^sampled: / { ++sampled }
    END { print "text:", clauses, parts, sampled }' "$TMP/err"
