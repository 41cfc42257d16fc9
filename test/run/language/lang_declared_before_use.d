/*@
 * what:    a clause can use a name declared after it
 */
BEGIN { hits = 3; printf("%d\n", hits + later); exit(0); }
int later;
