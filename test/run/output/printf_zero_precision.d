/*@
 * what:    a precision of 0 has no effect
 */
BEGIN { printf("[%.0d][%5.0d][%.0s]\n", 0, 7, "abc"); exit(0); }
