#@ what:    with -x format=jsonl, the output of system() commands goes to stderr
$DTRACE -x format=jsonl -wqn 'BEGIN { system("echo from the command"); trace(1); exit(0); }' 2>"$TMP/err" >"$TMP/out"
grep -c 'from the command' "$TMP/out" "$TMP/err" | sed 's/.*://'
