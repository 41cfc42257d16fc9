/* @tag: D_ADDROF_LVAL
 * @says: unary & operator may not be applied to a value that is not an lvalue
 * @line: 5
 * & of non-lvalue */
BEGIN { trace(&5); }
