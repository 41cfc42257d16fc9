#@ what:    sched: on-cpu fires for a thread as often as off-cpu, give or take the edges; sched_yield(2) surrenders
#@ needs:   syscall
$DTRACE -qn 'sched:::on-cpu /pid == $target/ { on++; } sched:::off-cpu /pid == $target/ { off++; }
    sched:::surrender /args[1]->pr_pid == $target/ { given++; } END { printf("%d %d %d\n", on > 0, on - off <= 1 && off - on <= 1, given); }' \
    -c "$PROGS/syscalls sched_yield 5" | sed '/^$/d'
