/*@
 * what:    id 0: speculate() ends the clause silently, commit() and discard() do nothing
 */
BEGIN { speculate(0); printf("never\n"); }
BEGIN { commit(0); }
BEGIN { discard(0); printf("here\n"); exit(0); }
