/*@
 * what:    variables changed in a speculating clause stay changed after discard()
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); n = 7; printf("lost\n"); }
BEGIN { discard(s); printf("%d\n", n); exit(0); }
