/*@
 * what:    speculative samples that are never committed are dropped without a message
 */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("lost\n"); }
BEGIN { printf("end\n"); exit(0); }
