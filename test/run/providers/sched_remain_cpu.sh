#@ what:    sched:::remain-cpu fires when a yielding thread keeps its CPU, mostly when no other thread waits
#@ needs:   syscall
$DTRACE -qn 'sched:::remain-cpu /pid == $target/ { kept++; } sched:::off-cpu /pid == $target/ { lost++; }
    END { printf("%d %d\n", kept > 0, kept + lost >= 1000); }' -c "$PROGS/syscalls sched_yield 1000" | sed '/^$/d'
