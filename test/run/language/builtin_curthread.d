/*@
 * what:    curthread points to the kernel's task structure
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/syscalls getppid 1'
 */
syscall::getppid:entry
/pid == $target/
{
	printf("%d %d %s\n", curthread->tgid == pid, curthread->pid == tid, curthread->comm);
}
