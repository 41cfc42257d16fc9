/* @tag: D_OP_ARITH
 * arithmetic required (* /, unary + -) */
BEGIN { trace("a" * 2); }
