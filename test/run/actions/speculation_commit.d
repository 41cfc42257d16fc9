/*@
 * what:    commit() prints a speculation at that point, discard() drops it, and both free the id
 * run:     -qs %file%
 * expect:  exact
 */
BEGIN { this->kept = speculation(); kept = this->kept; }
BEGIN { speculate(kept); printf("kept %d\n", kept); }
BEGIN { printf("before\n"); }
BEGIN { commit(kept); }
BEGIN { printf("after\n"); exit(0); }
