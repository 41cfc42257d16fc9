/* @tag: D_OP_LVAL
 * @says: operator = requires a modifiable lvalue as an operand
 * @line: 5
 * an assignment to a cast is an error */
BEGIN { x = 1; (int)x = 3; }
