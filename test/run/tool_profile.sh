#@ what:    profile.d: a program that computes is found at it, as often as the clock ticks, and as a flame graph's text
#@ needs:   syscall
"$DTRACE" -s profile.d -c "$PROGS/burn 300" | awk '/burn`main/ { found = 1 } /^ +[0-9]+$/ { if (found) n += $1; found = 0 } END { print (n >= 15 && n <= 40) }'
"$DTRACE" -x format=folded -s profile.d other -c "$PROGS/burn 100" | wc -l
"$DTRACE" -x format=folded -s profile.d burn -c "$PROGS/burn 100" | grep -q '^burn;.*;main [0-9]*$' && echo folded
