#@ what:    the stack of a command's first system call is complete although its code has no frame pointers
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep call" | sed -n 's/+0x.*//; s/^ *deep`//p'
