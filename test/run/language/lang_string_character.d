/*@
 * what:    single characters of string variables can be assigned, also NUL
 */
string g;
BEGIN {
	g = "hello"; this->t = "abcdef"; self->s = "xyz";
	g[4] = 'p'; this->t[3] = '\0'; self->s[0]++;
	printf("%s %s %s %d\n", g, this->t, self->s, strlen(this->t));
}
BEGIN { this->a = "abc"; printf("%s %c\n", this->a, this->a[1] = 'c'); }
BEGIN { this->b = "abc"; this->n = this->b; this->b[0] = 'A'; printf("%s %s\n", this->b, this->n); exit(0); }
