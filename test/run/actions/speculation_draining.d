/*@
 * what:    after commit(), records written to the same speculation id are discarded
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("in time\n"); }
BEGIN { commit(s); }
BEGIN { speculate(s); printf("too late\n"); }
BEGIN { commit(s); discard(s); }
BEGIN { exit(0); }
