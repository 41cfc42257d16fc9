#@ what:    cpudist.d counts one interval on the CPU for each sleep of a thread
#@ needs:   syscall
# In rare cases a thread does not leave the CPU to sleep, because the machine stalled. A second clause on the same probe therefore counts the expected number.
"$DTRACE" -s cpudist.d -n 'sched:::off-cpu /pid == $target/ { @all = sum(1); } END { printa("all %@d\n", @all); }' -c "$PROGS/sleeper 1" |
    awk '/^sleeper/ { print $0 } / \|/ { n += $NF } /^all/ { all = $2 } END { print (all >= 20 && n >= all - 2 && n <= all ? "all of them" : n " of " all) }'
