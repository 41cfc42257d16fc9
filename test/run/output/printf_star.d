/*@
 * what:    a width given as * is taken from an argument, and a negative one aligns to the left
 */
BEGIN { printf("[%*d][%*d][%*s]\n", 6, 42, -6, 42, 5, "ab"); exit(0); }
