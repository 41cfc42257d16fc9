/*@
 * what:    a thread-local variable set at a function's entry is read at its return, despite nested calls
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:hidden:entry { self->n = arg0; }
pid$target:a.out:hidden:return /self->n/ { printf("%d -> %d\n", self->n, arg1); self->n = 0; }
