/*@
 * what:    psinfo_t gives user, group, session and parent ids, the number of threads and the terminal of a process
 * needs:   root
 * run:     -qs %file% -c '%progs%/identity'
 */
syscall::getppid:entry /progenyof($target)/
{
	printf("%d %d %d %d\n", curpsinfo->pr_uid, curpsinfo->pr_euid, curpsinfo->pr_gid, curpsinfo->pr_egid);
	printf("%d %d %d %d\n", curpsinfo->pr_pgid == pid, curpsinfo->pr_sid == ppid, curpsinfo->pr_ppid == ppid, curpsinfo->pr_nlwp);
	printf("%d %d\n", ppid != $target, curpsinfo->pr_ttydev == (struct tty_struct *)-1);
}
