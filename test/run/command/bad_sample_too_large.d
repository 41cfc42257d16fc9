/*@
 * what:    a clause whose record is larger than the kernel's buffers allow is a compile-time error
 * run:     -s %file% -x strsize=16k
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("%s%s%s%s", strjoin(execname, "1"), strjoin(execname, "2"), strjoin(execname, "3"), strjoin(execname, "4"));
	exit(0);
}
