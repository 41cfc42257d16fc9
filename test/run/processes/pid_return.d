/*@
 * what:    at the return of a function of the target arg1 is what it returns; here 1 and 2 and the 350 of the others
 * run:     -qs %file% -c '%progs%/calls 2'
 * expect:  exact
 */
pid$target:a.out:add8:return
{
	printf("%s %d\n", probename, arg1);
}
