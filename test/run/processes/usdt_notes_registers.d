/*@
 * needs:   uprobe
 * what:    USDT arguments in registers and parts of registers are read as signed or unsigned numbers
 * run:     -qs %file% -c '%progs%/notes 1'
 * expect:  exact
 */
forms$target:notes:registers:low { printf("%x %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8); }
forms$target:notes:registers:high { printf("%x %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7); }
