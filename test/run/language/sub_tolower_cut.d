/*@
 * what:    toupper() and tolower() truncate their results to option strsize
 */
#pragma D option strsize=5
BEGIN
{
	printf("[%s][%s]\n", toupper("abcdefgh"), tolower("ABCDEFGH"));
	@[toupper("ab")] = count();
	@[tolower("AB")] = count();
	@[toupper("AB")] = count();
	exit(0);
}
