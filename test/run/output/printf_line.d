/*@
 * what:    without -q a printf that ends its own line leaves an empty one
 * run:     -s %file%
 */
BEGIN { printf("one\n"); }
BEGIN { printf("two"); exit(0); }
