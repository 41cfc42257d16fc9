#@ what:    option stackindent=0 prints stack frames without indentation
#@ needs:   syscall
$DTRACE -q -x stackindent=0 -n 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
