/*@
 * what:    binary operators evaluate their left operand first
 */
BEGIN { x = 1; printf("%d ", x++ * 10 + x++); printf("%d\n", x); exit(0); }
