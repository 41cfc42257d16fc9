/*@
 * what:    a clause can use a variable that is declared or assigned only further down
 */
BEGIN { hits = 3; printf("%d\n", hits + later); exit(0); }
int later;
