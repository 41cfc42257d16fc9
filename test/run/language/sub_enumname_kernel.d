/*@
 * what:    enumname() prints the names that the kernel's types have, here of PIDTYPE_TGID and of HRTIMER_NORESTART
 */
BEGIN
{
	printf("%s %s\n", enumname((enum pid_type)1), enumname((enum hrtimer_restart)0));
	exit(0);
}
