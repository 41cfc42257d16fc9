/*@
 * what:    %d of narrow signed types keeps the sign
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%d %i %d\n", (char)-3, (short)-4, (int8_t)-128); exit(0); }
