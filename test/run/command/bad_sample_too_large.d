/*@
 * what:    a clause that records more than the kernel's buffers can take is refused at compile time
 * run:     -s %file% -x strsize=16k
 * status:  1
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN
{
	printf("%s%s%s%s", strjoin(execname, "1"), strjoin(execname, "2"), strjoin(execname, "3"), strjoin(execname, "4"));
	exit(0);
}
