/*@
 * what:    a conversion without its argument
 * status:  1
 */
BEGIN { printf("%d %d\n", 1); }
