/*@
 * what:    integer constants can be decimal, octal or hexadecimal with suffixes, and the suffix and value set their size
 */
BEGIN
{
	printf("%d %d %d\n", 017, 0x1F, 42);
	printf("%d %d %d %d\n", sizeof (0xffffffff), sizeof (4294967295), sizeof ('a'), sizeof (1ULL));
	printf("%d %d %d\n", sizeof (1), sizeof (1L), sizeof (1u));
	printf("%d %d %d\n", '\n', '\x41', '\101');
	exit(0);
}
