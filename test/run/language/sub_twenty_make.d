/*@
 * what:    with strsize=4096, the kernel accepts a clause with twenty calls of functions that build strings, such as strjoin()
 */
#pragma D option strsize=4096
string s, t;
int i;
BEGIN { s = "/usr/lib/../Share/x"; t = "/"; i = 10; }
BEGIN
{
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("%d ", strlen(strjoin(s, t)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("%d ", strlen(substr(s, i)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("%d ", strlen(substr(s, i, -i)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("%d ", strlen(toupper(s)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("%d ", strlen(tolower(s)));
	printf("\n");
}
BEGIN
{
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("%d ", strlen(lltostr(i, i)));
	printf("\n");
}
BEGIN { exit(0); }
