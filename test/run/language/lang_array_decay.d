/*@
 * what:    an array in an expression decays to a pointer, and stores through it change the array
 */
int a[4]; int *p;
BEGIN { p = a; p[1] = 5; *(p + 2) = 6; printf("%d %d %d\n", a[1], a[2], *p); exit(0); }
