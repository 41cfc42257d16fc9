/*@
 * what:    arrays with one and two dimensions work as global, thread-local and clause-local variables
 */
int a[4]; int m[2][3]; this char c[8]; self short s[3];
BEGIN {
	a[0] = 1; a[3] = 4; m[1][2] = 5; this->c[7] = 'x'; self->s[2] = -2;
	i = 3;
	printf("%d %d %d %d %d %c %d\n", a[0], a[1], a[i], m[1][2], m[i - 2][i - 1], this->c[7], self->s[2]);
	printf("%d %d %d\n", sizeof (a), sizeof (m), sizeof (m[0]));
	exit(0);
}
