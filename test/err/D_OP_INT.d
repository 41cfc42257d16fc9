/* @tag: D_OP_INT
 * integer operand required */
BEGIN { trace("a" & 1); }
