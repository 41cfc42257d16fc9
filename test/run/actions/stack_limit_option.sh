#@ what:    option ustackframes sets the default depth of ustack()
#@ needs:   syscall
$DTRACE -q -x ustackframes=2 -n 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/two_stacks 1" 2>/dev/null | sed 's/+0x[0-9a-f]*$//' 
