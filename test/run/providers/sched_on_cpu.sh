#@ what:    sched:::on-cpu fires as often as off-cpu for each thread, and sched_yield(2) fires sched:::surrender
#@ needs:   syscall
$DTRACE -qn 'sched:::on-cpu /pid == $target/ { on++; } sched:::off-cpu /pid == $target/ { off++; }
    sched:::surrender /args[1]->pr_pid == $target/ { given++; } END { printf("%d %d %d\n", on > 0, on - off <= 1 && off - on <= 1, given); }' \
    -c "$PROGS/syscalls sched_yield 5" | sed '/^$/d'
