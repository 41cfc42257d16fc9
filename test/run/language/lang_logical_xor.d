/*@
 * what:    ^^ (exclusive or) evaluates both operands
 */
BEGIN { x = 0; printf("%d %d %d ", 1 ^^ 0, 5 ^^ 7, x++ ^^ 1); printf("%d\n", x); exit(0); }
