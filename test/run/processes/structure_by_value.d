/*@
 * what:    a structure passed by value is an argument with members, also where the caller passes its address
 * run:     -qs %file% -c '%progs%/typed 1'
 * expect:  exact
 */
pid$target:a.out:scaled:entry
{
	printf("%d %d %d\n", args[2].x, args[2].y, args[4]);
	printf("%s %d %d %d\n", stringof(args[3].name), args[3].corners[2].y, args[3].colour, args[3].wide);
}
