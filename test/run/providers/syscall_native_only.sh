#@ what:    a system call of a 32-bit program does not fire the probe of the 64-bit call with the same number
#@ needs:   syscall
# Number 64 is getppid(2) for 32-bit programs and semget(2) for 64-bit ones. Not every kernel runs 32-bit programs.
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=true
$DTRACE -qn 'syscall::semget: /execname == "calls32"/ { printf("semget %s\n", probename); } END { printf("end\n"); }' -c "$program" | sed '/^$/d'
