/*@
 * what:    $0 is the name of the script
 */
BEGIN { printf("%s %s\n", $0, $$0); exit(0); }
