/*@
 * what:    an address beyond every symbol of the kernel has no name
 */
BEGIN { printf("%a\n", 0xffffffffff600000); sym(0xffffffffff600000); printf("|\n"); exit(0); }
