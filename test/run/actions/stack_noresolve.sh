#@ what:    with option noresolve, user frames print as file name and offset
#@ needs:   syscall
$DTRACE -x noresolve -qn 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/0x[0-9a-f]*/OFFSET/' 
