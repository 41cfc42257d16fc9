#@ what:    a system call of a 32-bit program is not the one that has its number elsewhere, neither where it begins nor where it returns
#@ needs:   syscall
# A 32-bit program's call 64 is getppid(2), which for others is semget(2). Not every kernel runs such programs.
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=true
$DTRACE -qn 'syscall::semget: /execname == "calls32"/ { printf("semget %s\n", probename); } END { printf("end\n"); }' -c "$program" | sed '/^$/d'
