#@ what:    stacks of a 32-bit Go program are complete
#@ needs:   syscall go
[ "$(uname -m)" = x86_64 ] || { echo "32-bit programs have no unwind tables on this machine"; exit 77; }
"$PROGS/deep_go32" 1 >/dev/null 2>&1 || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
$DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep_go32 1" | sed -n 's/+0x.*//; s/^ *deep_go32`\(main\.\|runtime.goexit\)/\1/p'
