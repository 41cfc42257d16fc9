/* @tag: D_OP_ARRFUN
 * @says: operator = may not be applied to operand of type int [4]
 * @line: 5
 * assignment to array or function */
int a[4]; int b[4]; BEGIN { a = b; }
