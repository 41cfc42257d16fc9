#@ what:    lwpsinfo_t and psinfo_t of another process say whether it sleeps, is stopped or dead, with priority, class and CPU
#@ needs:   root
$DTRACE -qn 'proc:::signal-discard /pid == $target && args[2] == SIGURG/
{
	printf("%c %d %d, %s %d, on %d; %s %d %d %d\n", args[0]->pr_sname, args[0]->pr_state, args[0]->pr_flag, args[0]->pr_clname, args[0]->pr_pri, args[0]->pr_onpro,
	    args[1]->pr_fname, args[1]->pr_ppid == pid, args[1]->pr_pid == args[0]->pr_lwpid && args[1]->pr_pid != pid, args[0]->pr_syscall);
}' -c "$PROGS/states" | grep .
