/*@
 * what:    all but the last component of a path; "." where there is no slash
 */
BEGIN
{
	printf("[%s]\n", dirname(""));
	printf("[%s]\n", dirname("/"));
	printf("[%s]\n", dirname("//"));
	printf("[%s]\n", dirname("///"));
	printf("[%s]\n", dirname("/a"));
	printf("[%s]\n", dirname("a"));
	printf("[%s]\n", dirname("a/"));
	printf("[%s]\n", dirname("/a/"));
	printf("[%s]\n", dirname("a/b"));
	printf("[%s]\n", dirname("a//b"));
	printf("[%s]\n", dirname("/a/b/c/"));
	printf("[%s]\n", dirname("/a/b/c"));
	printf("[%s]\n", dirname("/a/b/c///"));
	printf("[%s]\n", dirname("."));
	printf("[%s]\n", dirname(".."));
	printf("[%s]\n", dirname("/usr/lib"));
	exit(0);
}
