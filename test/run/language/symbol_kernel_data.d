/*@
 * what:    a kernel data symbol without a type is a word that a cast can convert
 * needs:   data-symbols
 */
BEGIN
{
	printf("%d %d\n", `jiffies == *(uint64_t *)&`jiffies, (int)`jiffies == *(int *)&`jiffies);
	printf("%s %d\n", (*(struct task_struct *)&`init_task).comm, ((struct task_struct *)&`init_task)->pid);
	printf("%d\n", vmlinux`jiffies <= `jiffies);
	exit(0);
}
