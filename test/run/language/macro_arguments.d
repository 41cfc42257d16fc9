/*@
 * what:    $1 expands to an integer, identifier or string, and $$1 to a string
 * run:     -qs %file% 42 name 'two words' 0x10
 */
BEGIN
{
	printf("%d %s %s\n", $1, $$1, $$2);
	printf("%s\n", $3);
	printf("%d\n", $4 + 1);
	name = 9;
	printf("%d\n", $2);
	exit(0);
}
