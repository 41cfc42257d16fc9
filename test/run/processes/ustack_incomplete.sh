#@ what:    a stack that lacks unwind information ends with a mark, and ustackdepth counts the frames above it
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d\n", ustackdepth); }' -c "$PROGS/no_frames" | sed '/^$/d; s/^ *//; s/+0x.*//'
