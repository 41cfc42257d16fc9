/*@
 * what:    args[] give access to members, bit-fields, arrays, unions and enums of a structure of the program
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  exact
 */
pid$target:a.out:pick:entry
{
	printf("%s %d %d %s\n", stringof(args[0]->name), args[0]->corners[1].x, args[0]->next->colour, stringof(args[2]));
	printf("%d %d %d %d %d\n", args[0]->low, args[0]->high, args[0]->wide, args[0]->value.bytes[1], args[0]->grid[1][2]);
}
