/*@
 * what:    with -Z, a program whose clauses match no probe runs until the -c command ends
 * run:     -q -Z -s %file% -c true
 * expect:  exact
 */
nosuch:::x { @ = count(); self->n = 1; trace(self->n); }
