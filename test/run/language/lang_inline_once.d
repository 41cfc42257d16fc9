/*@
 * what:    an inline with parameters evaluates each argument once, even if its expression uses the parameter twice
 */
inline int larger[int a, int b] = a > b ? a : b;
BEGIN { x = 5; printf("%d ", larger[x++, 3]); printf("%d\n", x); exit(0); }
