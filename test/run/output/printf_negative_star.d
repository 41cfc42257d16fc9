/*@
 * what:    a negative argument for the width * aligns to the left
 */
BEGIN { printf("[%*d][%-*d]\n", -6, 42, 4, 7); exit(0); }
