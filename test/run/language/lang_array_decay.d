/*@
 * what:    an array assigned to a pointer gives its address, and assignments through the pointer change the array
 */
int a[4]; int *p;
BEGIN { p = a; p[1] = 5; *(p + 2) = 6; printf("%d %d %d\n", a[1], a[2], *p); exit(0); }
