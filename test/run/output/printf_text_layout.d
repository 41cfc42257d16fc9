/*@
 * what:    width, precision and alignment of text follow the documented layout
 */
BEGIN { printf("[%5s][%-5s][%.2s][%5.2s][%-5.2s][%s]\n", "abc", "abc", "abc", "abc", "abc", ""); exit(0); }
