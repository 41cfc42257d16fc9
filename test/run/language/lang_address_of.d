/*@
 * what:    & gives the address of a member that is reached through a pointer
 */
BEGIN {
	printf("%d %d\n", (uint64_t)&curthread->pid - (uint64_t)curthread == offsetof(struct task_struct, pid), *&curthread->pid == tid);
	exit(0);
}
