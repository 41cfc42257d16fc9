/*@
 * what:    the id of a committed speculation is free at once, and its new samples are not the old one's
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("first %d\n", s); }
BEGIN { commit(s); s = speculation(); }
BEGIN { speculate(s); printf("second %d\n", s); }
BEGIN { discard(s); s = speculation(); }
BEGIN { speculate(s); printf("third %d\n", s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
