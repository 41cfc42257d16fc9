/*@
 * what:    the kernel accepts a clause with many calls of string subroutines
 */
BEGIN
{
	printf("[%s]\n", substr(strjoin(toupper("ab0"), lltostr(0)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab1"), lltostr(1)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab2"), lltostr(2)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab3"), lltostr(3)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab4"), lltostr(4)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab5"), lltostr(5)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab6"), lltostr(6)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab7"), lltostr(7)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab8"), lltostr(8)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab9"), lltostr(9)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab10"), lltostr(10)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab11"), lltostr(11)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab12"), lltostr(12)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab13"), lltostr(13)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab14"), lltostr(14)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab15"), lltostr(15)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab16"), lltostr(16)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab17"), lltostr(17)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab18"), lltostr(18)), 1));
	printf("[%s]\n", substr(strjoin(toupper("ab19"), lltostr(19)), 1));
	exit(0);
}
