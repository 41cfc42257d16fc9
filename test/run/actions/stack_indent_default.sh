#@ what:    ustack() prints a newline, then each frame on its own line after 14 blanks
#@ needs:   syscall
$DTRACE -q -n 'syscall::getppid:entry /pid == $target/ { ustack(2); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
