/* @tag: D_OP_ARITH
 * @says: operator * requires operands of arithmetic type
 * @line: 5
 * arithmetic required (* /, unary + -) */
BEGIN { trace("a" * 2); }
