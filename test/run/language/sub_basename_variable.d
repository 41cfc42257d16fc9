/*@
 * what:    basename() and dirname() accept variables and each other's results, and work as keys
 */
BEGIN
{
	path = "/usr/share/doc/dtrace/README";
	printf("%s %s\n", basename(path), dirname(path));
	printf("%s\n", basename(dirname(path)));
	printf("%s\n", dirname(dirname(dirname(path))));
	@[basename(dirname(path))] = count();
	@[strjoin("do", "c")] = count();
	@[basename("/x/dtrace")] = count();
	exit(0);
}
