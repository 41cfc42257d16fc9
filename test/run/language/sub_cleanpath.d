/*@
 * what:    cleanpath() removes //, /./ and /x/../ from a path
 */
BEGIN
{
	printf("[%s]\n", cleanpath(""));
	printf("[%s]\n", cleanpath("."));
	printf("[%s]\n", cleanpath("/"));
	printf("[%s]\n", cleanpath("a"));
	printf("[%s]\n", cleanpath("/a/../b/./c//d"));
	printf("[%s]\n", cleanpath("../a"));
	printf("[%s]\n", cleanpath("a/.."));
	printf("[%s]\n", cleanpath("//"));
	printf("[%s]\n", cleanpath("/.."));
	printf("[%s]\n", cleanpath("/../../a"));
	printf("[%s]\n", cleanpath("a/b/../../c"));
	printf("[%s]\n", cleanpath("a/../.."));
	printf("[%s]\n", cleanpath("../../a/.."));
	printf("[%s]\n", cleanpath("./a"));
	printf("[%s]\n", cleanpath("./"));
	printf("[%s]\n", cleanpath("a/./b"));
	printf("[%s]\n", cleanpath("..."));
	printf("[%s]\n", cleanpath("a/..."));
	printf("[%s]\n", cleanpath("/a/"));
	printf("[%s]\n", cleanpath("/a/b/.."));
	printf("[%s]\n", cleanpath("/."));
	printf("[%s]\n", cleanpath("a//b///c"));
	printf("[%s]\n", cleanpath("a/b/../../../c"));
	printf("[%s]\n", cleanpath(".."));
	printf("[%s]\n", cleanpath("/foo/./bar/../baz/"));
	printf("[%s]\n", cleanpath("/a/..b/.c"));
	exit(0);
}
