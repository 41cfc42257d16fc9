/*@
 * what:    a program may define its own toupper, tolower and strtoll, which this tracer adds to D
 */
string toupper;
inline int tolower = 4;
int strtoll[int];
BEGIN { toupper = "mine"; strtoll[1] = 6; printf("%s %d %d\n", toupper, tolower, strtoll[1]); exit(0); }
