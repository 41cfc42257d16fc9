#@ what:    the stack of vfork(3), which keeps its return address in a register while the kernel runs, is complete
#@ needs:   uprobe x86-64
$DTRACE -qn 'syscall::vfork:entry /pid == $target/ { ustack(); }' -c "$PROGS/vforks 1" | sed -n 's/^ *vforks`\(main\)+0x.*/\1/p; s/^ *libc.*vfork+0x.*/vfork/p; /incomplete/p'
