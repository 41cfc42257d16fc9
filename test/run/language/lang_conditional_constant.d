/*@
 * what:    a ?: with constant condition checks only its selected branch
 */
BEGIN { printf("%d %d\n", 1 ? 4 : nosuch, 0 ? nosuch : 5); exit(0); }
