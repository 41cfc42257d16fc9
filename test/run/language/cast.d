/*@
 * what:    casts truncate and extend integers
 */
BEGIN
{
	n = 0x1ff;
	m = -1;
	printf("%d %d %d\n", (uint8_t)0x1ff, (int8_t)0x1ff, (int)0x80000000);
	printf("%d %d %d\n", (uint8_t)n, (int8_t)n, (char)n);
	printf("%d %d %d\n", (uint64_t)m, (uint32_t)m, (int64_t)(uint32_t)m);
	exit(0);
}
