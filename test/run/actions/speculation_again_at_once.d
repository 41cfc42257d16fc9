/*@
 * what:    speculation() can return the id of a just committed speculation, and the two speculations' samples stay separate
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("first %d\n", s); }
BEGIN { commit(s); s = speculation(); }
BEGIN { speculate(s); printf("second %d\n", s); }
BEGIN { discard(s); s = speculation(); }
BEGIN { speculate(s); printf("third %d\n", s); }
BEGIN { commit(s); }
BEGIN { exit(0); }
