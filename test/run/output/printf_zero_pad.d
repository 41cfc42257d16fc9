/*@
 * what:    zero padding stands between sign and digits, and the later of the flags 0 and - wins
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%06d][%-06d][%0-6d][%#06x][%06s]\n", -42, -42, -42, 42, "x"); exit(0); }
