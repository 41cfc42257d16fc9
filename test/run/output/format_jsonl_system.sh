#@ what:    what a command of system() prints goes to stderr when the output is for programs
$DTRACE -x format=jsonl -wqn 'BEGIN { system("echo from the command"); trace(1); exit(0); }' 2>"$TMP/err" >"$TMP/out"
grep -c 'from the command' "$TMP/out" "$TMP/err" | sed 's/.*://'
