/*@
 * what:    a classic script with arrays keyed by process and thread, clauses for each errno, and uregs[] runs unmodified
 * needs:   syscall x86-64
 * run:     -qs %file% -c '%progs%/open_files /dev/null /no/such/file /dev/zero'
 */
#pragma D option dynvarsize=1m
#pragma D option cleanrate=101hz
#pragma D option stackframes=4

uint64_t began[pid_t, id_t, string];
string	 doing[int];
int	 depth[int];
string	 lastcall;
int	 bad, good, early, nested;

/*
 * Entry of each system call of the target.
 */
syscall:::entry
/pid == $target && execname == "open_files" &&
 probefunc != "exit_group" &&		/* never returns */
 probefunc != "rt_sigreturn"/
{
	began[pid, tid, probefunc] = timestamp;
	doing[tid] = probefunc;
	++depth[tid];
	nested += (depth[tid] > 1);
}

/* Return of the same system call. */
syscall:::return
/began[pid, tid, probefunc]/
{
	early += timestamp < began[pid, tid, probefunc];
	began[pid, tid, probefunc] = 0;
	depth[tid]--;
	lastcall = doing[tid];
	doing[tid] = 0;
}

syscall::openat:return
/pid == $target && errno == 0/
{
	good++;
	@fd["lowest"] = min((int)arg0 > 2 ? 3 : (int)arg0);
	@fds["opened"] = lquantize((int)arg0 > 2 ? 3 : 0, 0, 8);
	@ret[arg0 == arg1 ? "same" : "differ"] = count();
}

syscall::openat:return
/pid == $target && errno != 0/
{
	bad++;
	@failed[execname, probefunc, errno, errno == ENOENT ? "No such file or directory" :
	    errno == EACCES ? "Permission denied" :
	    errno == EINTR ? "Interrupted" : lltostr(errno)] = count();
}

syscall::close:entry
/pid == $target && uregs[R_RDI] == arg0/
{
	@close["close", doing[tid]] = count();
}

END
{
	printf("good %d bad %d, early %d nested %d, last %s\n", good, bad, early, nested, lastcall);
	printa("%s %@d\n", @fd);
	printa(@ret);
	printa("%-12s %-8s %3d %-28s %@4d\n", @failed);
	printa("%s in %s: %@d\n", @close);
	printa(@fds);
}
