#@ what:    sched:::on-cpu also fires for the first run of a new thread, so that on-cpu and off-cpu fire equally often
#@ needs:   syscall
cat >$TMP/make <<S
for i in 1 2 3 4 5 6 7 8 9 10; do $PROGS/sleeper 0; done
S
$DTRACE -qn 'sched:::on-cpu /progenyof($target) && pid != $target/ { @on[pid] = count(); @n[pid] = sum(1); }
    sched:::off-cpu /progenyof($target) && pid != $target/ { @off[pid] = count(); @n[pid] = sum(-1); }
    END { printa("%@d %@d %@d\n", @on, @off, @n); }' -c "sh $TMP/make" | awk 'NF { born++; even += $3 >= -1 && $3 <= 1 && $1 > 0 } END { print born, even }'
