/*@
 * what:    assigning a character of a string beyond strsize, or any character of a NULL string, raises a fault
 * run:     -q -x strsize=8 -s %file%
 */
string g;
BEGIN { i = 8; }
BEGIN { g = "abcdefgh"; g[i - 1] = 'H'; trace(g); }
BEGIN { g[i] = '!'; }
BEGIN { self->s = "x"; self->s = 0; self->s[2] = '!'; }
ERROR { printf(" %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
