/*@
 * what:    the address operator works on members reached through pointers
 */
BEGIN {
	printf("%d %d\n", (uint64_t)&curthread->pid - (uint64_t)curthread == offsetof(struct task_struct, pid), *&curthread->pid == tid);
	exit(0);
}
