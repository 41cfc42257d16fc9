/*@
 * what:    pid, tid, ppid, uid and gid are those of the traced process
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %d %d %d\n", pid == tid, ppid == $pid, uid == $uid, gid == $gid, pid);
}
