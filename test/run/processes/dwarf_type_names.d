/*@
 * what:    types and variables of the program can be named in a D program, with and without the program's name in front
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  exact
 */
pid$target:a.out:quiet:entry
{
	printf("%d %d %d\n", sizeof(struct typed`shape), sizeof(shape_t), offsetof(struct typed`shape, next));
	printf("%d %d %d\n", ``origin.x, typed``first.corners[2].y, ``second.colour);
	printf("%d\n", ((shape_t *)&``first)->next->corners[0].x);
}
