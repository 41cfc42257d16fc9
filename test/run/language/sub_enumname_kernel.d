/*@
 * what:    enumname() prints the names of kernel enumerators, such as PIDTYPE_TGID and HRTIMER_NORESTART
 */
BEGIN
{
	printf("%s %s\n", enumname((enum pid_type)1), enumname((enum hrtimer_restart)0));
	exit(0);
}
