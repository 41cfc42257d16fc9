#@ what:    for a new thread, proc:::lwp-create fires in its creator and lwp-start and lwp-exit in the thread, but no process probe
#@ needs:   syscall
$DTRACE -qn 'int n;
syscall::getppid:entry /pid == $target/ { n++; }
proc:::lwp-create /pid == $target && n == 1/ { @["lwp-create", args[1]->pr_pid == $target, args[0]->pr_lwpid == args[1]->pr_pid] = count(); made[args[0]->pr_lwpid] = 1; }
proc:::lwp-start,proc:::lwp-exit /pid == $target && made[tid]/ { @[probename, tid == pid, curlwpsinfo->pr_lwpid == tid ? 0 : 1] = count(); }
proc:::start /pid == $target && made[tid]/ { @["start", 0, 0] = count(); }
END { printa("%s %d %d: %@d\n", @); }' -c "$PROGS/counts threads 7" | grep . | sort
