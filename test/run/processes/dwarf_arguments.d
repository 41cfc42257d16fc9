/*@
 * what:    args[] of a function have the types from the program's debug information
 * run:     -qs %file% -c '%progs%/typed 2'
 * expect:  exact
 */
pid$target:a.out:numbers:entry
{
	printf("%c %d %d %d %u %d %d %d\n", args[0], args[1], args[2], args[3], args[4], args[5], args[6], args[7]);
}
pid$target:a.out:scaled:entry { printf("%d %d\n", args[0], args[4]); }
