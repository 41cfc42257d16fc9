/*@
 * needs:   uprobe
 * what:    USDT arguments in memory are read, whether addressed by register, scaled index or symbol
 * run:     -qs %file% -c '%progs%/notes 1'
 * expect:  exact
 */
forms$target:::memory { printf("%d %d %x %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6); }
forms$target:::symbols { printf("%d %x %d %d\n", arg0, arg1, arg2, arg3); }
