/*@
 * what:    if the condition of ?: is constant, the branch that is not selected may use unknown names
 */
BEGIN { printf("%d %d\n", 1 ? 4 : nosuch, 0 ? nosuch : 5); exit(0); }
