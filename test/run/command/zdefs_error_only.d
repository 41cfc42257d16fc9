/*@
 * what:    with -Z, a program of ERROR clauses alone starts and waits for the command to end
 * run:     -q -s %file% -c true
 * expect:  exact
 */
dtrace:::ERROR { printf("fault %d at %x\n", arg4, arg5); }
