#@ what:    proc signal probes give sender, target, signal number and handler, for waited-for and for handled signals
#@ needs:   syscall
$DTRACE -qn 'int n; uintptr_t handler;
syscall::getppid:entry /pid == $target/ { n++; }
syscall::rt_sigaction:entry /pid == $target && arg0 == SIGUSR2/ { handler = *(uintptr_t *)copyin(arg1, sizeof(uintptr_t)); }
proc:::signal-send /pid == $target && n == 1/ { @[probename, args[2], args[0]->pr_lwpid == tid && args[1]->pr_pid == pid] = count(); }
proc:::signal-clear /pid == $target && n == 1/ { @[probename, args[0], 1] = count(); }
proc:::signal-handle /pid == $target && n == 1/
{
	@[probename, args[0], args[1]->si_signo == args[0] && args[1]->_sifields._kill._pid == pid && (uintptr_t)args[2] == handler] = count();
}
END { printa("%s %d %d: %@d\n", @); }' -c "$PROGS/counts signals 5" | grep . | sort
