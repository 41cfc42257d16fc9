#@ what:    runqlat.d counts at least one wait for a CPU for each of a thread's hundred sleeps
#@ needs:   syscall
# In rare cases a thread does not leave the CPU to sleep, because the machine stalled. A second clause on the same probe therefore counts the expected number.
"$DTRACE" -s runqlat.d -n 'sched:::on-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^microseconds/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
