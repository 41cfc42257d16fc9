/*@
 * what:    the precision .0 has no effect, for numbers and strings
 */
BEGIN { printf("[%.0d][%5.0d][%.0s]\n", 0, 7, "abc"); exit(0); }
