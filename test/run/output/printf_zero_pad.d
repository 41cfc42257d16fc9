/*@
 * what:    zero padding goes between sign and digits and is the later of 0 and minus wins
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%06d][%-06d][%0-6d][%#06x][%06s]\n", -42, -42, -42, 42, "x"); exit(0); }
