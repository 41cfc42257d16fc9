/*@
 * what:    a program of which no clause has a probe starts, and waits for the command to end
 * run:     -q -Z -s %file% -c true
 * expect:  exact
 */
nosuch:::x { @ = count(); self->n = 1; trace(self->n); }
