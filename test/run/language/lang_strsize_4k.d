/*@
 * what:    4096-byte strings work in variables, keys, comparisons and printf()
 * needs:   syscall
 * run:     -qs %file% -x strsize=4k -c '%progs%/syscalls getppid 1'
 */
string g, half;
self string s;
this string t;
string m[string, int];
BEGIN
{
	/* g grows to 16, 32, ... 4096 characters: the clauses double it one after the other */
	g = "0123456789abcdef";
	g = strjoin(g, g);
	g = strjoin(g, g);
	g = strjoin(g, g);
	g = strjoin(g, g);
	g = strjoin(g, g);
	g = strjoin(g, g);
	g = strjoin(g, g);
	half = g;
	g = strjoin(g, g);
}
syscall::getppid:entry
/pid == $target/
{
	self->s = g;
	this->t = self->s;
	m[this->t, 1] = this->t;
	@[m[g, 1]] = count();
	printf("%d %d %d %d\n", strlen(m[self->s, 1]), m[self->s, 1] == g, self->s == half, strlen(half));
	printf("%s\n", substr(m[g, 1], 4080));
}
END { printa("%.16s %@d\n", @); }
