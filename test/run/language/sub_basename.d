/*@
 * what:    basename() returns the last component of a path without trailing slashes, and "." for an empty path
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
