/*@
 * what:    a committed speculation prints where commit() is met, a discarded one never, and an id is free again afterwards
 * run:     -qs %file%
 * expect:  exact
 */
BEGIN { this->kept = speculation(); kept = this->kept; }
BEGIN { speculate(kept); printf("kept %d\n", kept); }
BEGIN { printf("before\n"); }
BEGIN { commit(kept); }
BEGIN { printf("after\n"); exit(0); }
