/*@
 * what:    a macro argument such as $1 can be the name of a member
 * run:     -qs %file% second
 */
struct s { int first; int second; } v;
BEGIN { v.second = 4; printf("%d\n", v.$1); exit(0); }
