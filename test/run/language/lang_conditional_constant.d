/*@
 * what:    of a ?: with constant condition only the chosen arm is checked
 */
BEGIN { printf("%d %d\n", 1 ? 4 : nosuch, 0 ? nosuch : 5); exit(0); }
