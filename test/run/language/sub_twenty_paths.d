/*@
 * what:    with strsize=4096, the kernel accepts a clause with twenty calls of path functions such as basename()
 */
#pragma D option strsize=4096
string s, t;
int i;
BEGIN { s = "/usr/lib/../Share/x"; t = "/"; i = 10; }
BEGIN
{
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("%d ", strlen(basename(s)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("%d ", strlen(dirname(s)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("%d ", strlen(cleanpath(s)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("%d ", strlen(strtok(s, t)));
	printf("\n");
}
BEGIN { exit(0); }
