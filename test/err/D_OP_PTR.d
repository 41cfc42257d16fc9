/* @tag: D_OP_PTR
 * @says: operator -> cannot be applied to a non-pointer of type int
 * @line: 5
 * -> on non-pointer */
BEGIN { x = 4; trace(x->y); }
