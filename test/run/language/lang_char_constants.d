/*@
 * what:    character constants hold up to eight bytes, most significant first, with escapes
 */
BEGIN {
	printf("%x %x %d\n", 'ab', 'abcdefgh', 'a');
	printf("%x %x %x %x\n", '\n', '\x41', '\101', '\'');
	printf("%d %d %d\n", sizeof ('a'), sizeof ('abcdefgh'), '\0');
	exit(0);
}
