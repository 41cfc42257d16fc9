/*@
 * what:    a thread-local variable leads from a function's entry to its return, and the other functions do not come between
 * run:     -qs %file% -c '%progs%/calls 3'
 * expect:  exact
 */
pid$target:a.out:hidden:entry { self->n = arg0; }
pid$target:a.out:hidden:return /self->n/ { printf("%d -> %d\n", self->n, arg1); self->n = 0; }
