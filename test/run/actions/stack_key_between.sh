#@ what:    a stack between a number and a string as aggregation keys starts on its own line, one frame per line
#@ needs:   syscall
$DTRACE -q -n 'syscall::getppid:entry /pid == $target/ { @[7, ustack(2), "s"] = count(); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
