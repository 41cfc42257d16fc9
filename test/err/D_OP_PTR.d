/* @tag: D_OP_PTR
 * @says: operator -> cannot be applied to a non-pointer of type int
 * @line: 5
 * the operator -> on a value that is no pointer is an error */
BEGIN { x = 4; trace(x->y); }
