/*@
 * what:    arg0 to arg9 of a function are read from registers and from the stack
 * run:     -qs %file% -c '%progs%/calls 2'
 * expect:  exact
 */
pid$target:a.out:add8:entry
{
	printf("%s:%s:%s %d %d %d %d %d %d %d %d\n", probemod, probefunc, probename, arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7);
}
