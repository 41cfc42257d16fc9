/*@
 * what:    a kernel variable without known type reads as a 64-bit integer, and a cast gives it a type
 * needs:   data-symbols
 */
BEGIN
{
	printf("%d %d\n", `jiffies == *(uint64_t *)&`jiffies, (int)`jiffies == *(int *)&`jiffies);
	printf("%s %d\n", (*(struct task_struct *)&`init_task).comm, ((struct task_struct *)&`init_task)->pid);
	printf("%d\n", vmlinux`jiffies <= `jiffies);
	exit(0);
}
