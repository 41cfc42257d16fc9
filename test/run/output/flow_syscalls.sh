#@ what:    -F shows each system call's entry and return at the same indentation, also with two clauses at the entry
#@ needs:   syscall
$DTRACE -F -n 'syscall::getppid:entry /pid == $target/ {} syscall::getppid:entry /pid == $target/ { trace(1); } syscall::getppid:return /pid == $target/ {}' \
    -c "$PROGS/storm 1" 2>/dev/null
