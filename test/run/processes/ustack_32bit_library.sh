#@ what:    stacks of a 32-bit program are complete through C library functions and signal handlers
#@ needs:   syscall
[ -x "$PROGS/deep32" ] && "$PROGS/deep32" call 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
for way in call signal; do
    $DTRACE -qn 'syscall::getppid:entry /pid == $target/ { ustack(); }' -c "$PROGS/deep32 $way" | sed -n 's/+0x.*//; s/^ *deep32`//p; s/^ *\(\[vdso.*sigreturn\)/\1/p'
done
