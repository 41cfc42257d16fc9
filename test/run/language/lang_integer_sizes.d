/*@
 * what:    the type of an integer constant is the first type that can hold its value
 */
BEGIN {
	printf("%d %d %d %d\n", sizeof (1), sizeof (0xffffffff), sizeof (4294967295), sizeof (2147483648));
	printf("%d %d %d %d\n", sizeof (1u), sizeof (1ul), sizeof (1ll), sizeof (0x8000000000000000));
	printf("%u %d %x\n", 18446744073709551615u, 0777, 0XaBcD);
	exit(0);
}
