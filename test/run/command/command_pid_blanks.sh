#@ what:    -p accepts blanks around the process number, as ps prints them
"$PROGS/sleeper" >"$TMP/ready" &
child=$!
$DTRACE -qn 'BEGIN { printf("%d\n", $target); exit(0); }' -p "   $child" | sed "s/^$child\$/the process/"
$DTRACE -qn 'BEGIN { exit(0); }' -p "$child 7" 2>&1 | sed "s|$child|PID|"
kill $child
