/*@
 * what:    a committed speculation accepts no more samples
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("in time\n"); }
BEGIN { commit(s); }
BEGIN { speculate(s); printf("too late\n"); }
BEGIN { commit(s); discard(s); }
BEGIN { exit(0); }
