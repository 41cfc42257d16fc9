/* @tag: D_OP_ARITH
 * @says: operator * requires operands of arithmetic type
 * @line: 5
 * an arithmetic operator with a non-arithmetic operand is an error */
BEGIN { trace("a" * 2); }
