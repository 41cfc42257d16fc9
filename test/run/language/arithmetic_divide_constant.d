/*@
 * what:    division and remainder by constants are exact for all 16-bit and 32-bit values
 */
BEGIN
{
	x = (uint32_t)4294967295;
	y = (uint16_t)65535;
	printf("%d %d %d %d\n", x / 3, x % 3, x / 1000, x % 1000);
	printf("%d %d %d %d\n", x / 7, x % 7, x / 4294967295, x % 4294967295);
	printf("%d %d %d\n", y / 10, y % 10, y / 65535);
	x = 6999;
	printf("%d %d %d", x / 7000, x % 7000, x / 1);
	exit(0);
}
