/*@
 * what:    without -c and -p, $target is 0 if option defaultargs is set
 * run:     -x defaultargs -qs %file%
 */
BEGIN { printf("%d %s\n", $target, $$target); exit(0); }
