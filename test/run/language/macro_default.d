/*@
 * what:    with -x defaultargs, $1 of a missing argument is 0 and $$1 is the empty string
 * run:     -qs %file% -x defaultargs
 */
BEGIN { printf("%d [%s]\n", $1, $$2); exit(0); }
