#@ what:    args[0] and args[1] of sched probes describe the thread and its process, for off-cpu, wakeup and surrender
#@ needs:   syscall
$DTRACE -qn 'int next[int], made[int], right, wrong, other;
sched:::off-cpu { next[cpu] = args[1]->pr_pid == $target ? args[0]->pr_lwpid : 0; }
sched:::on-cpu /pid == $target && next[cpu]/ { right += next[cpu] == tid && tid != pid; wrong += next[cpu] != tid; next[cpu] = 0; }
proc:::lwp-create /pid == $target/ { made[args[0]->pr_lwpid] = 1; }
sched:::wakeup /made[args[0]->pr_lwpid]/ { other += args[1]->pr_pid != $target; }
END { printf("%d %d %d\n", right > 0, wrong, other); }' -c "$PROGS/counts threads 50" | grep .
$DTRACE -qn 'sched:::surrender /pid == $target/ { @[args[0]->pr_lwpid == tid, args[1]->pr_pid == pid, args[0]->pr_addr == (uintptr_t)curthread] = count(); }
END { printa("%d %d %d: %@d\n", @); }' -c "$PROGS/syscalls sched_yield 5" | grep .
