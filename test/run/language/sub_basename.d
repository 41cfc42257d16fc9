/*@
 * what:    basename() returns a path's last component, ignores trailing slashes, and gives "." for an empty path
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
