/*@
 * what:    %i prints the same as %d
 */
BEGIN { printf("[%i][%4i][%-4i][%04i]\n", -5, -5, -5, -5); exit(0); }
