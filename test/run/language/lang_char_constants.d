/*@
 * what:    a character constant of up to eight bytes is an integer with the first character in the highest byte
 */
BEGIN {
	printf("%x %x %d\n", 'ab', 'abcdefgh', 'a');
	printf("%x %x %x %x\n", '\n', '\x41', '\101', '\'');
	printf("%d %d %d\n", sizeof ('a'), sizeof ('abcdefgh'), '\0');
	exit(0);
}
