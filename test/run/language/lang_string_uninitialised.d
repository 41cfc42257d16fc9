/*@
 * what:    a global string is empty before its first assignment; a missing element or self-> string is NULL
 */
string g; string a[int]; self string t;
BEGIN {
	printf("%d %d %d %d\n", g == "", g == NULL, a[1] == NULL, self->t == NULL);
	exit(0);
}
