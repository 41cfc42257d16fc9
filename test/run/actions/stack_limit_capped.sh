#@ what:    option maxframes limits the number of frames even if ustack() asks for more
#@ needs:   syscall
$DTRACE -q -x maxframes=2 -n 'syscall::getppid:entry /pid == $target/ { ustack(50); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
