#@ what:    %k in printa() prints a newline, then one frame on each line; its width sets the indentation, and later text starts a new line
#@ needs:   syscall
$DTRACE -q -n 'syscall::getppid:entry /pid == $target/ { @[ustack(2)] = count(); } END { printa("%k %@d\n", @); printa("%-5k %@d\n", @); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
