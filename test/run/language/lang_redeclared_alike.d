/*@
 * what:    declaring a variable twice with the same type is no error
 */
int x; int x; string m[int]; string m[int]; extern int x;
BEGIN { x = 1; m[1] = "a"; printf("%d %s\n", x, m[1]); exit(0); }
