#@ what:    sched:::remain-cpu fires when a thread yields and keeps its CPU because no other thread waits
#@ needs:   syscall
$DTRACE -qn 'sched:::remain-cpu /pid == $target/ { kept++; } sched:::off-cpu /pid == $target/ { lost++; }
    END { printf("%d %d\n", kept > 0, kept + lost >= 1000); }' -c "$PROGS/syscalls sched_yield 1000" | sed '/^$/d'
