/*@
 * what:    with option defaultargs, $target is 0 without -c or -p
 * run:     -x defaultargs -qs %file%
 */
BEGIN { printf("%d %s\n", $target, $$target); exit(0); }
