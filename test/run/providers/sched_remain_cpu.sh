#@ what:    sched: whoever yields its CPU loses it to another thread or keeps it, and with nobody else about keeps it mostly
#@ needs:   syscall
$DTRACE -qn 'sched:::remain-cpu /pid == $target/ { kept++; } sched:::off-cpu /pid == $target/ { lost++; }
    END { printf("%d %d\n", kept > 0, kept + lost >= 1000); }' -c "$PROGS/syscalls sched_yield 1000" | sed '/^$/d'
