/*@
 * what:    ?: evaluates only the selected branch
 */
BEGIN
{
	a = 3;
	n = 0;
	printf("%d %d\n", a > 2 ? 10 : 20, a > 5 ? 10 : 20);
	printf("%s\n", a == 3 ? "three" : "other");
	printf("%d\n", a > 5 ? 1 : a > 2 ? 2 : 3);
	this->x = a ? 1 : n++;
	printf("%d\n", n);
	printf("%s\n", a == 1 ? "one" : a == 2 ? "two" : "many");
	exit(0);
}
