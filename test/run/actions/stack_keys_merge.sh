#@ what:    if stacks or symbols of two processes print the same text, they become one aggregation entry with the summed values
#@ needs:   syscall
$DTRACE -x format=folded -qn 'syscall::getppid:entry /progenyof($pid)/ { @[ustack(6)] = count(); @s[ustack(6)] = sum(pid - pid + 1); }' \
    -c "$PROGS/two_stacks 1" -c "$PROGS/two_stacks 1"
$DTRACE -qn 'syscall::getppid:entry /progenyof($pid)/ { @u[umod(ucaller)] = count(); @f[ufunc(ucaller)] = count(); }' \
    -c "$PROGS/two_stacks 2" -c "$PROGS/two_stacks 3"
