/*@
 * what:    width, precision and the flag - of %s give the documented layout
 */
BEGIN { printf("[%5s][%-5s][%.2s][%5.2s][%-5.2s][%s]\n", "abc", "abc", "abc", "abc", "abc", ""); exit(0); }
