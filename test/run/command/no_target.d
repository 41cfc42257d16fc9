/*@
 * what:    without -c or -p $target is 0 where defaultargs asks for defaults
 * run:     -x defaultargs -qs %file%
 */
BEGIN { printf("%d %s\n", $target, $$target); exit(0); }
