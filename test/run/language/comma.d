/*@
 * what:    the comma operator returns its right operand
 */
BEGIN { a = (b = 2, b + 3); printf("%d %d\n", a, b); exit(0); }
