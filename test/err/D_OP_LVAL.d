/* @tag: D_OP_LVAL
 * @says: operator = requires a modifiable lvalue as an operand
 * @line: 5
 * an assignment to no lvalue, or a second function for one aggregation statement, is an error */
BEGIN { 5 = 3; }
