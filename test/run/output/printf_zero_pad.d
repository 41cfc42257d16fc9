/*@
 * what:    the flag 0 puts zeros between sign and digits; of the flags 0 and -, the later one applies
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("[%06d][%-06d][%0-6d][%#06x][%06s]\n", -42, -42, -42, 42, "x"); exit(0); }
