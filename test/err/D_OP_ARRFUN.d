/* @tag: D_OP_ARRFUN
 * assignment to array or function */
int a[4]; int b[4]; BEGIN { a = b; }
