/*@
 * what:    a discarded speculation prints nothing, and commit() of an inactive id has no effect
 * run:     -qs %file%
 * expect:  exact
 */
BEGIN { sp = speculation(); }
BEGIN { speculate(sp); printf("never seen\n"); }
BEGIN { discard(sp); }
BEGIN { commit(sp); }
BEGIN { printf("end\n"); exit(0); }
