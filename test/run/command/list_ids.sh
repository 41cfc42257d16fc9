#@ what:    -l, -i and the variable id use the same number for a probe
#@ needs:   syscall
all=$($DTRACE -l | awk '$4 == "getppid" && $5 == "entry" { print $1 }')
one=$($DTRACE -ln syscall::getppid:entry | awk 'NR == 2 { print $1 }')
traced=$($DTRACE -qn 'syscall::getppid:entry /pid == $target/ { printf("%d\n", id); exit(0); }' -c "$PROGS/syscalls getppid 1")
number=$($DTRACE -li "$all" | awk 'NR == 2 { print $4, $5 }')
[ -n "$all" ] && [ "$all" = "$one" ] && [ "$all" = "$traced" ] && echo "one id, of $number"
