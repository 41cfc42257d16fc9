/*@
 * what:    args[1] of a return probe is the function's result with its type
 * run:     -qs %file% -c '%progs%/typed'
 * expect:  exact
 */
pid$target:a.out:pick:return { printf("%d %s\n", args[0] == -1, stringof(args[1]->name)); }
pid$target:a.out:numbers:return { printf("%d\n", sizeof(args[1])); }
