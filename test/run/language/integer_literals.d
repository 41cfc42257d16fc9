/*@
 * what:    integer literals accept bases and suffixes, and get the resulting sizes
 */
BEGIN
{
	printf("%d %d %d\n", 017, 0x1F, 42);
	printf("%d %d %d %d\n", sizeof (0xffffffff), sizeof (4294967295), sizeof ('a'), sizeof (1ULL));
	printf("%d %d %d\n", sizeof (1), sizeof (1L), sizeof (1u));
	printf("%d %d %d\n", '\n', '\x41', '\101');
	exit(0);
}
