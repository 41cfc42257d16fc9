/*@
 * what:    a precision given as .* is taken from an argument
 */
BEGIN { printf("[%.*s][%8.*s]\n", 2, "abcdef", 3, "abcdef"); exit(0); }
