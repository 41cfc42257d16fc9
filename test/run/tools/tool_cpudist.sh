#@ what:    cpudist.d counts as many on-CPU intervals as a thread sleeps
#@ needs:   syscall
# Hardly ever a thread is not off the CPU in a nap, when the machine stood still before it was: a second clause on the same probe counts.
"$DTRACE" -s cpudist.d -n 'sched:::off-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^sleeper/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
