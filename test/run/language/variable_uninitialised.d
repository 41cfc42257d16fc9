/*@
 * what:    integer variables start as 0 and global strings as the empty string
 */
int i;
string s;
self int t;
this int l;
uint64_t u;
BEGIN { printf("%d [%s] %d %d %d\n", i, s, self->t, this->l, u); exit(0); }
