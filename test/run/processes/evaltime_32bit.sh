#@ what:    with evaltime=postinit or main, system calls of a 32-bit command's dynamic loader are not traced
#@ needs:   syscall
[ -x "$PROGS/deep32" ] && "$PROGS/deep32" call 2>/dev/null || { echo "the compiler or this kernel knows no 32-bit programs"; exit 77; }
for option in evaltime=postinit evaltime=main; do
    $DTRACE -x $option -qn 'syscall:::entry /pid == $target/ { printf("%s\n", probefunc); exit(0); }' -c "$PROGS/deep32 call"
done
$DTRACE -x evaltime=exec -qn 'syscall::mmap2:entry /pid == $target/ { printf("%s\n", probefunc); exit(0); }' -c "$PROGS/deep32 call"
