/* @tag: D_ADDROF_LVAL
 * @says: unary & operator may not be applied to a value that is not an lvalue
 * @line: 5
 * taking the address of an expression that is no lvalue is an error */
BEGIN { trace(&5); }
