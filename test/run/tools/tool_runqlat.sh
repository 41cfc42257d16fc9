#@ what:    runqlat.d counts at least one wait for a CPU for each of a hundred sleeps of a thread
#@ needs:   syscall
# If the machine stalls, a thread may skip a sleep and stay on the CPU. So the expected number comes from a second
# clause on the same probe.
"$DTRACE" -s runqlat.d -n 'sched:::on-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^microseconds/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
