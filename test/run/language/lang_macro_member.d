/*@
 * what:    a macro argument can be a member name
 * run:     -qs %file% second
 */
struct s { int first; int second; } v;
BEGIN { v.second = 4; printf("%d\n", v.$1); exit(0); }
