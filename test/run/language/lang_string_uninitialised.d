/*@
 * what:    an uninitialised global string is empty, and an absent associative one is NULL
 */
string g; string a[int]; self string t;
BEGIN {
	printf("%d %d %d %d\n", g == "", g == NULL, a[1] == NULL, self->t == NULL);
	exit(0);
}
