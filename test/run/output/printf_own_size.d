/*@
 * what:    %u, %x and %o print the argument with the size of its type
 */
BEGIN { printf("%u %u %u %x %o\n", (char)-1, (short)-1, -1, (char)-1, (char)-1); exit(0); }
