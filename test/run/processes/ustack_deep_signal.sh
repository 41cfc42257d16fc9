#@ what:    a signal handler's stack continues through the interrupted code
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep signal" | sed -n 's/+0x.*//; s/^ *deep`//p'
