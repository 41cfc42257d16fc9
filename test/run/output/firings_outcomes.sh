#@ what:    -x hits counts a hit as filtered if no predicate of its clauses is true, and otherwise once as recorded
#@ needs:   syscall
$DTRACE -x hits -qn 'BEGIN { n = 0; } syscall::getppid:entry /pid == $target && ++n > 60/ { @a = count(); }
    syscall::getppid:entry /pid == $target && n > 90/ { @b = count(); }
    syscall::getppid:entry /pid == $target && n <= 20/ { @c = count(); }' -c "$PROGS/syscalls getppid 100" >/dev/null 2>"$TMP/err"
awk '/vmlinux:getppid/ { print "of the process and others:", ($1 >= 100 && $2 >= 40 && $3 == 60 && $4 == 0 && $1 == $2 + $3 + $4) }' "$TMP/err"
grep -c dtrace:::BEGIN "$TMP/err"
