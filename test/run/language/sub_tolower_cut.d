/*@
 * what:    toupper() and tolower() cut at strsize, other bytes pass
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
