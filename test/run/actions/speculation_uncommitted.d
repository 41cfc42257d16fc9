/*@
 * what:    what is never committed is lost without a word
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("lost\n"); }
BEGIN { printf("end\n"); exit(0); }
