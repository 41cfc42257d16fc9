/*@
 * what:    start and length of substr() can be variables
 */
int i, n;
BEGIN
{
	s = "abcdef";
	i = 2; n = 3;
	printf("[%s]", substr(s, i));
	printf("[%s]", substr(s, i, n));
	i = -2; n = 1;
	printf("[%s]", substr(s, i));
	printf("[%s]", substr(s, i, n));
	i = -100; n = 98;
	printf("[%s]", substr(s, i));
	printf("[%s]", substr(s, i, n));
	i = 1; n = -1;
	printf("[%s]", substr(s, i, n));
	i = 7; n = -2147483647;
	printf("[%s]", substr(s, i, n));
	i = 0; n = 2147483647;
	printf("[%s]\n", substr(s, i, n));
	s = substr(s, 1);
	s = substr(s, 1, 3);
	printf("[%s]\n", s);
	exit(0);
}
