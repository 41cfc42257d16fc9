#@ what:    the stack of a signal handler continues with the stack of the interrupted function
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep signal" | sed -n 's/+0x.*//; s/^ *deep`//p'
