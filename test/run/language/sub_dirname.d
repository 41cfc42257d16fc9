/*@
 * what:    dirname() returns a path without its last component, and "." for a path without slash
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
