/*@
 * what:    getenv() is NULL in threads without a process, such as those of the kernel
 */
sched:::off-cpu
/curthread->mm == NULL && !done++/
{
	printf("%d\n", getenv("PATH") == NULL);
	exit(0);
}
