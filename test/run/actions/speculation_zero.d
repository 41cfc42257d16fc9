/*@
 * what:    speculate(0) ends the clause silently, and commit(0) and discard(0) have no effect
 */
BEGIN { speculate(0); printf("never\n"); }
BEGIN { commit(0); }
BEGIN { discard(0); printf("here\n"); exit(0); }
