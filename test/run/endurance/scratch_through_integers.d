/*@
 * what:    an alloca() address that was converted to an integer and back can be used, and its bounds are still checked
 * stderr:  contains
 */
BEGIN
{
	p = alloca(32);
	q = (int *)(((uintptr_t)p + 7) & ~7);
	*q = 5;
	i = (uintptr_t)p + 8;
	*(int *)i = 6;
	printf("%d %d\n", *q, *(int *)i);
}
BEGIN { i = (uintptr_t)alloca(32) + 8; bcopy((void *)i, (void *)(i + 8), 17); }
ERROR { printf("fault %d\n", arg4); exit(0); }
