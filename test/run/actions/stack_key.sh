#@ what:    a stack as an aggregation key prints a newline, its frames, and the value on its own line
#@ needs:   syscall
$DTRACE -q -n 'syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); }' -c "$PROGS/two_stacks 2" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
