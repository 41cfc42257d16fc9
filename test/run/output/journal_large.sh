#@ what:    -x format=journal sends an entry that is too large for one datagram in a memory file (memfd)
#@ needs:   python3
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -qn 'BEGIN { printf("%300000d", 7); } BEGIN { trace("small"); exit(0); }' |
    python3 -c 'import json, sys
for line in sys.stdin:
    if line.startswith("status"):
        print(line, end="")
        continue
    entry = json.loads(line)
    print(entry.get("sealed"), len(entry["MESSAGE"]), entry["MESSAGE"].strip(), entry["DTRACE_VALUE1"])'
