/*@
 * what:    with strsize=4096, the kernel accepts a clause with twenty calls of search functions such as strstr()
 */
#pragma D option strsize=4096
string s, t;
int i;
BEGIN { s = "/usr/lib/../Share/x"; t = "/"; i = 10; }
BEGIN
{
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("%d ", index(s, t));
	printf("\n");
}
BEGIN
{
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("%d ", index(s, "Share", i));
	printf("\n");
}
BEGIN
{
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("%d ", rindex(s, t));
	printf("\n");
}
BEGIN
{
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("%d ", rindex(s, t, i));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("%d ", strlen(strchr(s, t[0])));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("%d ", strlen(strrchr(s, t[0])));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("%d ", strlen(strstr(s, "lib")));
	printf("\n");
}
BEGIN
{
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("%d ", strtoll(s, i));
	printf("\n");
}
BEGIN { exit(0); }
