#@ what:    sched:::sleep fires when a process goes to sleep, and sched:::wakeup when another one wakes it
#@ needs:   syscall
$DTRACE -qn 'sched:::sleep /pid == $target/ { @s = count(); } sched:::wakeup /args[1]->pr_pid == $target/ { @w = count(); }
    sched:::off-cpu /pid == $target && args[1]->pr_pid != $target/ { @o = count(); } END { printa("%@d %@d %@d\n", @s, @w, @o); }' \
    -c "$PROGS/sleeper 1" | awk 'NF == 3 { print ($1 >= 20), ($2 >= 20), ($3 >= 20) }'
