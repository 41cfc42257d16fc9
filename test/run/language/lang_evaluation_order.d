/*@
 * what:    the left operand is evaluated first
 */
BEGIN { x = 1; printf("%d ", x++ * 10 + x++); printf("%d\n", x); exit(0); }
