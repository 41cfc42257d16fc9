/*@
 * what:    the + and blank flags print a sign, and + wins over blank
 */
BEGIN { printf("[%+d][%+d][% d][% d][%+ d][%+u]\n", 1, -1, 1, -1, 1, 1); exit(0); }
