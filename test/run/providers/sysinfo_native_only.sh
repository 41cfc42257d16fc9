#@ what:    sysinfo does not count a system call of a 32-bit program as the 64-bit call with the same number
#@ needs:   syscall
# Number 1 is exit(2) for 32-bit programs and write(2) for 64-bit ones. Not every kernel runs 32-bit programs.
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=true
$DTRACE -qn 'sysinfo:::syswrite /execname == "calls32"/ { printf("write\n"); } END { printf("end\n"); }' -c "$program" | sed '/^$/d'
