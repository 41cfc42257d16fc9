#@ what:    -x format=journal delivers 3,000 entries in order although the journal's socket cannot buffer all of them
#@ needs:   syscall python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'syscall::getppid:entry /pid == $target/ { trace(n++); }' -c "$PROGS/storm 3000" |
    python3 -c 'import json, sys
*entries, status = sys.stdin
print([int(json.loads(entry)["DTRACE_VALUE1"]) for entry in entries] == list(range(3000)), status)'
