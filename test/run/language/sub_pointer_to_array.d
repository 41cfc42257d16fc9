/*@
 * what:    assignments through a pointer into a D array change the array, and raise a fault outside it
 * stderr:  contains
 */
int a[4];
struct pair { char name[8]; int value; };
struct pair both;
BEGIN { p = a; p[1] = 5; a[2] = 7; printf("%d %d\n", a[1], p[2]); }
BEGIN { this->q = &a[3]; *this->q = 9; this->q--; printf("%d %d\n", a[3], *this->q); }
BEGIN { i = 4; p[i] = 1; }
BEGIN { i = -1; p[i] = 1; }
BEGIN { this->n = both.name; this->n[0] = 'x'; this->n[1] = 'y'; printf("%s\n", stringof(both.name)); }
BEGIN { this->s = (int *)alloca(8); this->s[1] = 3; p[0] = this->s[1]; printf("%d\n", a[0]); }
ERROR { printf("fault %d\n", arg4); }
BEGIN { exit(0); }
