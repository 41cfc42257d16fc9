#@ what:    where nothing tells how to go on, a stack says that there is more, and the depth counts the frames that were found
#@ needs:   syscall
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); printf("%d\n", ustackdepth); }' -c "$PROGS/no_frames" | sed '/^$/d; s/^ *//; s/+0x.*//'
