/*@
 * what:    an address outside all kernel symbols prints as a hexadecimal number
 */
BEGIN { printf("%a\n", 0xffffffffff600000); sym(0xffffffffff600000); printf("|\n"); exit(0); }
