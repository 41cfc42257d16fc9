#@ what:    the stack of a vfork(3) call is complete, although the return address is only in a register
#@ needs:   uprobe x86-64
$DTRACE -qn 'syscall::vfork:entry /pid == $target/ { ustack(); }' -c "$PROGS/vforks 1" | sed -n 's/^ *vforks`\(main\)+0x.*/\1/p; s/^ *libc.*vfork+0x.*/vfork/p; /incomplete/p'
