/*@
 * what:    arg1 at a return probe is the function's return value
 * run:     -qs %file% -c '%progs%/calls 2'
 * expect:  exact
 */
pid$target:a.out:add8:return
{
	printf("%s %d\n", probename, arg1);
}
