#@ what:    without -q, a stack record is followed by an empty line
#@ needs:   syscall
$DTRACE  -n 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
