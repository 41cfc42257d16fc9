/*@
 * what:    %x and %o print hexadecimal and octal numbers, and with the flag # a prefix
 */
BEGIN
{
	printf("[%x][%#x][%X][%#X][%o][%#o]\n", 255, 255, 255, 255, 8, 8);
	printf("[%8x][%-8x][%08x][%#10x]\n", 0xbeef, 0xbeef, 0xbeef, 0xbeef);
	exit(0);
}
