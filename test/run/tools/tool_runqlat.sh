#@ what:    runqlat.d counts at least one run-queue wait for each of a thread's hundred sleeps
#@ needs:   syscall
# Hardly ever a thread is not off the CPU in a nap, when the machine stood still before it was: a second clause on the same probe counts.
"$DTRACE" -s runqlat.d -n 'sched:::on-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^microseconds/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
