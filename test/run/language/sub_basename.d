/*@
 * what:    the last component of a path; trailing slashes do not count; "." for nothing
 */
BEGIN
{
	printf("[%s]\n", basename(""));
	printf("[%s]\n", basename("/"));
	printf("[%s]\n", basename("//"));
	printf("[%s]\n", basename("///"));
	printf("[%s]\n", basename("/a"));
	printf("[%s]\n", basename("a"));
	printf("[%s]\n", basename("a/"));
	printf("[%s]\n", basename("/a/"));
	printf("[%s]\n", basename("a/b"));
	printf("[%s]\n", basename("a//b"));
	printf("[%s]\n", basename("/a/b/c/"));
	printf("[%s]\n", basename("/a/b/c"));
	printf("[%s]\n", basename("/a/b/c///"));
	printf("[%s]\n", basename("."));
	printf("[%s]\n", basename(".."));
	printf("[%s]\n", basename("/usr/lib"));
	exit(0);
}
