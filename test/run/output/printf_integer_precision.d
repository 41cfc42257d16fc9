/*@
 * what:    the precision of an integer is its least number of digits
 */
BEGIN { printf("[%.5d][%8.5d][%-8.5d][%.3x]\n", 42, 42, 42, 10); exit(0); }
