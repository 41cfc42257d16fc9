/*@
 * what:    without -q, a printf() that ends with a newline is followed by an empty line
 * run:     -s %file%
 */
BEGIN { printf("one\n"); }
BEGIN { printf("two"); exit(0); }
