/*@
 * what:    members of curlwpsinfo agree with built-in variables about the thread, such as tid and cpu
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%s %d %d\n", curlwpsinfo->pr_name, curlwpsinfo->pr_lwpid == tid, curlwpsinfo->pr_addr == (uintptr_t)curthread);
	printf("%d %d %c\n", curlwpsinfo->pr_flag, curlwpsinfo->pr_state == SRUN, curlwpsinfo->pr_sname);
	printf("%d %d %d\n", curlwpsinfo->pr_wchan, curlwpsinfo->pr_stype,
	    curlwpsinfo->pr_syscall == 110 || curlwpsinfo->pr_syscall == 173 /* getppid(2) on x86-64 and on arm64 */);
	printf("%d %s %d\n", curlwpsinfo->pr_pri == curthread->prio, curlwpsinfo->pr_clname, curlwpsinfo->pr_onpro == cpu);
	printf("%s %d\n", curpsinfo->pr_lwp.pr_name, curpsinfo->pr_lwp.pr_lwpid == tid);
}
