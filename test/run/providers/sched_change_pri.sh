#@ what:    sched:::change-pri gives the new priority after nice(2) and real-time changes, and does not fire if the priority stays the same
#@ needs:   kprobe
cat >$TMP/change <<'S'
renice -n 5 -p $$ >&2
renice -n 5 -p $$ >&2
chrt -f -p 10 $$
chrt -o -p 0 $$
S
$DTRACE -qn 'sched:::change-pri /progenyof($target)/ { printf("%d %d %d\n", args[0]->pr_lwpid == args[1]->pr_pid, args[0]->pr_pri, args[2]); }' \
    -c "sh $TMP/change" 2>/dev/null | sed '/^$/d'
