/*@
 * needs:   uprobe
 * what:    arguments that notes say are in memory: behind registers, scaled ones, and at symbols
 * run:     -qs %file% -c '%progs%/notes 1'
 * expect:  exact
 */
forms$target:::memory { printf("%d %d %x %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6); }
forms$target:::symbols { printf("%d %x %d %d\n", arg0, arg1, arg2, arg3); }
