/*@
 * what:    the records of an if, else if and else chain print on one line
 */
BEGIN { x = 2; if (x == 1) { printf("one"); } else if (x == 2) { printf("two"); } else printf("many"); printf("\n"); exit(0); }
