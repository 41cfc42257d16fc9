/*@
 * what:    -x defaultargs replaces missing macro arguments by 0 and the empty string
 * run:     -qs %file% -x defaultargs
 */
BEGIN { printf("%d [%s]\n", $1, $$2); exit(0); }
