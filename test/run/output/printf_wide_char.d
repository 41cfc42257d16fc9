/*@
 * what:    %lc and %wc print one character
 */
BEGIN { printf("%lc%wc|\n", 65, 66); exit(0); }
