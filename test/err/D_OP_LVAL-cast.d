/* @tag: D_OP_LVAL
 * @says: operator = requires a modifiable lvalue as an operand
 * @line: 5
 * a cast is no lvalue, and the grammar lets it stand there */
BEGIN { x = 1; (int)x = 3; }
