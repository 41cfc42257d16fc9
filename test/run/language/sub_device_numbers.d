/*@
 * what:    getmajor() and getminor() return the two parts of a kernel device number
 */
BEGIN
{
	printf("%d\n", getmajor(0x800001));
	printf("%d\n", getminor(0x800001));
	printf("%d\n", getmajor(0xfffffffff));
	printf("%d\n", getminor(0xfffffffff));
	exit(0);
}
