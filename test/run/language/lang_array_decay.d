/*@
 * what:    an array is a pointer in expressions; stores through it reach the array
 */
int a[4]; int *p;
BEGIN { p = a; p[1] = 5; *(p + 2) = 6; printf("%d %d %d\n", a[1], a[2], *p); exit(0); }
