/*@
 * what:    with -32, long and pointers in a program have 4 bytes, but kernel types keep their 64-bit sizes
 * run:     -32 -qs %file%
 */
long l; int *p;
BEGIN
{
	printf("%d %d %d %d\n", sizeof(long), sizeof(int *), sizeof(size_t), sizeof(intptr_t));
	printf("%d %d %d\n", sizeof(long long), sizeof(int64_t), sizeof(struct list_head));
	l = 0x1ffffffff; printf("%d %d\n", l, sizeof(4294967296));
	printf("%d\n", curthread->pid == tid);
	p = alloca(8); *p = 7; printf("%d\n", p[0]);
	exit(0);
}
