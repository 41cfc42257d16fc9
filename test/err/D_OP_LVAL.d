/* @tag: D_OP_LVAL
 * @says: operator = requires a modifiable lvalue as an operand
 * @line: 5
 * target not an lvalue; second function on one aggregation assignment */
BEGIN { 5 = 3; }
