/*@
 * what:    an argument of an inline is evaluated once for each use
 */
inline int larger[int a, int b] = a > b ? a : b;
BEGIN { x = 5; printf("%d ", larger[x++, 3]); printf("%d\n", x); exit(0); }
