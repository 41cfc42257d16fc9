/*@
 * what:    %d prints an argument of unsigned type as an unsigned number
 */
BEGIN { printf("%d %d %d %d\n", (unsigned char)255, (unsigned short)65535, (unsigned int)-1, (uint64_t)-1); exit(0); }
