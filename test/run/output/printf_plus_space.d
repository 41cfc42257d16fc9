/*@
 * what:    plus and blank, and that plus wins
 */
BEGIN { printf("[%+d][%+d][% d][% d][%+ d][%+u]\n", 1, -1, 1, -1, 1, 1); exit(0); }
