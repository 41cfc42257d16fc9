/*@
 * what:    %u, %x and %o use the size of their argument
 */
BEGIN { printf("%u %u %u %x %o\n", (char)-1, (short)-1, -1, (char)-1, (char)-1); exit(0); }
