/*@
 * what:    $1 is an integer, a name or a string, depending on the argument's text, and $$1 is always a string
 * run:     -qs %file% -- -12 five "two words" '"quoted"' 
 */
int five;
BEGIN {
	five = 5;
	printf("%d %d %s %s\n", $1, $2, $3, $4);
	printf("%s %s %s\n", $$1, $$2, $$4);
	exit(0);
}
