/*@
 * what:    members of curpsinfo agree with built-in variables about the process, such as pid and $uid
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%s %d %d %d\n", curpsinfo->pr_fname, curpsinfo->pr_nlwp, curpsinfo->pr_wstat, curpsinfo->pr_dmodel);
	printf("%d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == $pid, curpsinfo->pr_addr == (uintptr_t)curthread);
	printf("%d %d %d\n", curpsinfo->pr_pgid > 0, curpsinfo->pr_sid == $sid, curpsinfo->pr_ttydev != NULL);
	printf("%d %d %d %d\n", curpsinfo->pr_uid == $uid, curpsinfo->pr_euid == $euid, curpsinfo->pr_gid == $gid, curpsinfo->pr_egid == $egid);
	printf("%d%d%d%d%d%d\n", curpsinfo->pr_taskid, curpsinfo->pr_projid, curpsinfo->pr_nzomb, curpsinfo->pr_poolid,
	    curpsinfo->pr_zoneid, curpsinfo->pr_contract);
}
