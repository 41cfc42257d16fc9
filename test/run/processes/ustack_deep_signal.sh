#@ what:    the stack of a signal's handler goes on through what was interrupted
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep signal" | sed -n 's/+0x.*//; s/^ *deep`//p'
