/*@
 * what:    $1 as integer, identifier or string, $$1 as string
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
