/*@
 * what:    curthread points to the task_struct of the current thread
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %s\n", curthread->tgid == pid, curthread->pid == tid, curthread->comm);
}
