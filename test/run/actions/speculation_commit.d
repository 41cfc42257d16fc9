/*@
 * what:    commit() prints the speculation's records after earlier records and before later ones
 * run:     -qs %file%
 * expect:  exact
 */
BEGIN { this->kept = speculation(); kept = this->kept; }
BEGIN { speculate(kept); printf("kept %d\n", kept); }
BEGIN { printf("before\n"); }
BEGIN { commit(kept); }
BEGIN { printf("after\n"); exit(0); }
