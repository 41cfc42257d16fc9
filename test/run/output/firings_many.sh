#@ what:    -x hits counts the hits of each probe separately if probes share a program, and does not count a hit with a fault as lost
#@ needs:   syscall
clauses=$(for i in $(seq 80); do printf 'syscall:::entry /pid == $target/ { @[%d, probefunc] = sum(arg0 %% %d + strlen(execname)); }\n' "$i" "$((i + 1))"; done)
$DTRACE -x hits -qn "$clauses syscall::getppid:entry /pid == \$target/ { trace(*(int *)0); }" -c "$PROGS/syscalls getppid 50" >/dev/null 2>"$TMP/err"
awk '/:vmlinux:getppid:entry$/ { print "getppid:", $3, $4 } /:exit_group:entry$/ { print "exit_group:", $3, $4 } / probes did not fire$/ { print "silent probes:", ($1 > 100) }
    /:entry$/ && $1 != $2 + $3 + $4 { print "does not add up:", $0 }' "$TMP/err" | sort
