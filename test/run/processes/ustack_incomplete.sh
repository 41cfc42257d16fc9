#@ what:    a stack without unwind information ends with an incomplete mark, and ustackdepth counts the frames found
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d\n", ustackdepth); }' -c "$PROGS/no_frames" | sed '/^$/d; s/^ *//; s/+0x.*//'
