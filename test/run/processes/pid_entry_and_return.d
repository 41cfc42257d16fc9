/*@
 * what:    a self-> variable set at a function's entry can be read at its return, also with nested calls
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:hidden:entry { self->n = arg0; }
pid$target:a.out:hidden:return /self->n/ { printf("%d -> %d\n", self->n, arg1); self->n = 0; }
