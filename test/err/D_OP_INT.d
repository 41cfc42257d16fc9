/* @tag: D_OP_INT
 * @says: operator & requires operands of integral type
 * @line: 5
 * a non-integer operand of an integer operator is an error */
BEGIN { trace("a" & 1); }
