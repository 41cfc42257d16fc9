#@ what:    user frames print with function names even if the process ended before the tracer read its records
#@ needs:   syscall
$DTRACE -x switchrate=500ms -qn 'syscall::getppid:entry /pid == $target/ { ustack(1); }' -c "$PROGS/storm 1" | sed 's/+0x[0-9a-f]*//'
