/*@
 * what:    a declared name may be used by a clause above its declaration
 */
BEGIN { hits = 3; printf("%d\n", hits + later); exit(0); }
int later;
