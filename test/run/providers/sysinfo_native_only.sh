#@ what:    sysinfo does not count a 32-bit program's system call as the native call with its number
#@ needs:   syscall
# A 32-bit program's call 1 is exit(2), which for others is write(2). Not every kernel runs such programs.
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=true
$DTRACE -qn 'sysinfo:::syswrite /execname == "calls32"/ { printf("write\n"); } END { printf("end\n"); }' -c "$program" | sed '/^$/d'
