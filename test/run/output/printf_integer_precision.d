/*@
 * what:    a precision in %.5d is the minimum number of digits
 */
BEGIN { printf("[%.5d][%8.5d][%-8.5d][%.3x]\n", 42, 42, 42, 10); exit(0); }
