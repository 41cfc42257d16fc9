/*@
 * what:    casts truncate, extend and change types
 */
BEGIN {
	printf("%d %d %d %u\n", (uint8_t)0x1ff, (int)0x80000000, (char)200, (unsigned short)-1);
	x = 0x123456789;
	printf("%x %d %d\n", (int)x, (int8_t)0x80, (long)(int *)16);
	printf("%d %d\n", (int)(enum pid_type)1, sizeof ((char)1 + (unsigned char)1));
	exit(0);
}
