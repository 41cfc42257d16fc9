#@ what:    the frames of a command that has ended before its records are read have names
#@ needs:   syscall
$DTRACE -x switchrate=500ms -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/storm 1" | sed 's/+0x[0-9a-f]*//'
