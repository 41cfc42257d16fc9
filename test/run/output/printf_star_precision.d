/*@
 * what:    .* takes the precision from an argument
 */
BEGIN { printf("[%.*s][%8.*s]\n", 2, "abcdef", 3, "abcdef"); exit(0); }
