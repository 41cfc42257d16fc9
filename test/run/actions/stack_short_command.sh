#@ what:    user frames have names even if their short process ended before its records were read
#@ needs:   syscall
$DTRACE -x switchrate=500ms -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/storm 1" | sed 's/+0x[0-9a-f]*//'
