#@ what:    cpudist.d counts one interval on the CPU for each sleep of a thread
#@ needs:   syscall
# If the machine stalls, a thread may skip a sleep and stay on the CPU. So the expected number comes from a second
# clause on the same probe.
"$DTRACE" -s cpudist.d -n 'sched:::off-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^sleeper/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
