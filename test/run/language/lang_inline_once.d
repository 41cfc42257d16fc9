/*@
 * what:    each use of an inline evaluates its argument once
 */
inline int larger[int a, int b] = a > b ? a : b;
BEGIN { x = 5; printf("%d ", larger[x++, 3]); printf("%d\n", x); exit(0); }
