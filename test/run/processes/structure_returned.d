/*@
 * what:    a returned structure whose address is the function's result is args[1] of a return probe
 * needs:   x86-64
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  exact
 */
pid$target:a.out:copied:return { printf("%s %d %d\n", stringof(args[1].name), args[1].corners[2].x, args[1].next->colour); }
