/* @tag: D_OP_SCALAR
 * @says: operator && requires operands of scalar type
 * @line: 5
 * a non-scalar operand of a logical, increment or ?: operator is an error */
BEGIN { trace(execname && 1); }
