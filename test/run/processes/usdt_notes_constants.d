/*@
 * needs:   uprobe
 * what:    constant arguments of USDT probes have their size and sign, with up to twelve arguments
 * run:     -qs %file% -c '%progs%/notes 1'
 * expect:  exact
 */
forms$target:::constants { printf("%d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5); }
forms$target:::twelve { printf("%d %d %d %d\n", arg0, arg9, args[10], args[11]); }
forms$target:::none { printf("none %d\n", arg0); }
