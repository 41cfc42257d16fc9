#@ what:    -F pairs entries and returns of system calls, and a second clause at an entry does not indent
#@ needs:   syscall
$DTRACE -F -n 'syscall::getppid:entry /pid == $target/ {} syscall::getppid:entry /pid == $target/ { trace(1); } syscall::getppid:return /pid == $target/ {}' \
    -c "$PROGS/storm 1" 2>/dev/null
