#@ what:    -x format=journal writes each row of the -x hits, -x cost and -x annotate tables as an entry
#@ needs:   syscall python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -x hits -x cost -x annotate -qn 'syscall::getppid:entry /pid == $target/ { n++; } syscall::getppid:entry /0/ { n++; }' -c "$PROGS/storm 1000" 2>/dev/null |
    python3 -c 'import json, sys
for line in sys.stdin:
    entry = {} if line.startswith("status") else json.loads(line)
    tag = entry.get("DTRACE_TAG")
    if tag in ("HITS", "COST"):
        print(tag, entry["DTRACE_NAME"], int(entry["DTRACE_FIRED"]) >= 1000, entry["MESSAGE"].startswith(entry["DTRACE_NAME"] + ": fired "), entry["PRIORITY"])
    if tag == "HITS":
        print(entry["DTRACE_RECORDED"], entry["DTRACE_LOST"])
    if tag == "TRACER_COST":
        print(tag, int(entry["DTRACE_ELAPSED"]) > 0)
    if tag == "ANNOTATION" and "n++" in entry["MESSAGE"]:
        print(tag, int(entry["DTRACE_LINE"]), "DTRACE_OWN" in entry)'
