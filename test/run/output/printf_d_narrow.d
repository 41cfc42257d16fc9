/*@
 * what:    %d prints 8-bit and 16-bit signed numbers with their sign
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d %i %d\n", (char)-3, (short)-4, (int8_t)-128); exit(0); }
