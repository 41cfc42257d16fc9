/*@
 * what:    macro arguments expand to integers, names or strings, and $$ forms always to strings
 * run:     -qs %file% -- -12 five "two words" '"quoted"' 
 */
int five;
BEGIN {
	five = 5;
	printf("%d %d %s %s\n", $1, $2, $3, $4);
	printf("%s %s %s\n", $$1, $$2, $$4);
	exit(0);
}
