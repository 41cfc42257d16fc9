#@ what:    a stack that cannot be completed for lack of unwind information ends with a mark, and ustackdepth counts the frames before the mark
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d\n", ustackdepth); }' -c "$PROGS/no_frames" | sed '/^$/d; s/^ *//; s/+0x.*//'
