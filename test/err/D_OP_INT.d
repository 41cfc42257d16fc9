/* @tag: D_OP_INT
 * @says: operator & requires operands of integral type
 * @line: 5
 * integer operand required */
BEGIN { trace("a" & 1); }
