/* @tag: D_OP_LVAL
 * @says: operator = requires a modifiable lvalue as an operand
 * @line: 5
 * an assignment to an expression that is no lvalue, such as a constant, is an error */
BEGIN { 5 = 3; }
