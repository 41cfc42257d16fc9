/* @tag: D_OP_ARRFUN
 * @says: operator = may not be applied to operand of type int [4]
 * @line: 5
 * an assignment to an array or a function is an error */
int a[4]; int b[4]; BEGIN { a = b; }
