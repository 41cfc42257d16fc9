/*@
 * what:    the flags + and blank print a sign or a blank before positive numbers, and + has precedence if both are given
 */
BEGIN { printf("[%+d][%+d][% d][% d][%+ d][%+u]\n", 1, -1, 1, -1, 1, 1); exit(0); }
