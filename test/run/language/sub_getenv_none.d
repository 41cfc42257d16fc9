/*@
 * what:    getenv() is NULL in threads without process memory, such as kernel threads
 */
sched:::off-cpu
/curthread->mm == NULL && !done++/
{
	printf("%d\n", getenv("PATH") == NULL);
	exit(0);
}
