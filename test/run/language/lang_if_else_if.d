/*@
 * what:    else-if chains and blocks without semicolons print one output line
 */
BEGIN { x = 2; if (x == 1) { printf("one"); } else if (x == 2) { printf("two"); } else printf("many"); printf("\n"); exit(0); }
