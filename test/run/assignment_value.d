/*@
 * what:    an assignment is an expression of its left side's type
 */
uint8_t small;
BEGIN { printf("%d\n", small = 511); a = b = 7; printf("%d %d\n", a, b); exit(0); }
