/*@
 * what:    with -Z, a program whose clauses match no probe starts and waits for the command to end
 * run:     -q -Z -s %file% -c true
 * expect:  exact
 */
nosuch:::x { @ = count(); self->n = 1; trace(self->n); }
