#@ what:    pr_dmodel of psinfo_t says whether a program is a 32-bit or a 64-bit program
#@ needs:   syscall
[ -x "$PROGS/calls32" ] && "$PROGS/calls32" 2>/dev/null && program=$PROGS/calls32 || program=
for each in $program $PROGS/sleeper; do
    $DTRACE -qn 'proc:::exec-success /pid == $target/ { printf("%d\n", curpsinfo->pr_dmodel == (execname == "calls32" ? PR_MODEL_ILP32 : PR_MODEL_LP64)); }' -c "env $each 0"
done | grep . | uniq
