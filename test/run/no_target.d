/*@
 * what:    without -c or -p $target is 0
 */
BEGIN { printf("%d %s\n", $target, $$target); exit(0); }
