#@ what:    a 32-bit program's system call does not fire the native call with the same number
#@ needs:   syscall
# A 32-bit program's call 64 is getppid(2), which for others is semget(2). Not every kernel runs such programs.
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=true
$DTRACE -qn 'syscall::semget: /execname == "calls32"/ { printf("semget %s\n", probename); } END { printf("end\n"); }' -c "$program" | sed '/^$/d'
