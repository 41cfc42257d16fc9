/*@
 * what:    an address beyond every kernel symbol prints without a name
 */
BEGIN { printf("%a\n", 0xffffffffff600000); sym(0xffffffffff600000); printf("|\n"); exit(0); }
