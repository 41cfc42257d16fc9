/*@
 * what:    with -Z, a program with only ERROR clauses runs until the -c command ends
 * run:     -q -s %file% -c true
 * expect:  exact
 */
dtrace:::ERROR { printf("fault %d at %x\n", arg4, arg5); }
