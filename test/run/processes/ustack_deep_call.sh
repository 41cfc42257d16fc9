#@ what:    without frame pointers, and in a command's first system call, the stack is complete, from the call to where the program began
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep call" | sed -n 's/+0x.*//; s/^ *deep`//p'
