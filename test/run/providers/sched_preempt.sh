#@ what:    sched:::preempt and sched:::tick fire for two threads that compete for one CPU
#@ needs:   syscall
. ./skipped.bash
cat >$TMP/fight <<S
$PROGS/burn 1000 &
$PROGS/burn 1000
wait
S
$DTRACE -qn 'sched:::preempt /progenyof($target)/ { @p = count(); }
    sched:::tick /progenyof($target) && args[0]->pr_lwpid == tid && args[1]->pr_pid == pid/ { @t = count(); }
    END { printa("%@d %@d\n", @p, @t); }' -c "taskset -c 0 sh $TMP/fight" 2>$TMP/told | awk 'NF { print ($1 >= 2), ($2 >= 2) }'
# A timer tick may interrupt the BPF program of a task switch, most often under emulation. Then the kernel skips the BPF
# program of the tick.
but_skipped $TMP/told >&2
