#@ what:    -x format=journal writes the tracer's error and drop messages as entries with priority and tag
#@ needs:   python3
taskset -c 0 python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -x aggsize=16 -qn 'BEGIN { i = 0; } BEGIN { trace(1 / i); } BEGIN { @[1] = count(); @[2] = count(); exit(0); }' 2>/dev/null |
    python3 -c 'import json, sys
for line in sys.stdin:
    entry = {} if line.startswith("status") else json.loads(line)
    print(entry.get("PRIORITY"), *(entry[name] for name in ("DTRACE_TAG", "DTRACE_FAULT", "DTRACE_CAUSE", "DTRACE_COUNT") if name in entry))'
