/*@
 * what:    the id of a committed speculation is free immediately, and the next speculation's samples stay separate
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("first %d\n", s); }
BEGIN { commit(s); s = speculation(); }
BEGIN { speculate(s); printf("second %d\n", s); }
BEGIN { discard(s); s = speculation(); }
BEGIN { speculate(s); printf("third %d\n", s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
