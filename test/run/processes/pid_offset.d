/*@
 * what:    offset 0 is the first instruction: no arguments, but the registers
 * run:     -qs %file% -c '%progs%/calls 2'
 * expect:  exact
 */
pid$target:a.out:hidden:0
{
	printf("%s %d %d\n", probename, arg0, uregs[R_RDI]);
}
