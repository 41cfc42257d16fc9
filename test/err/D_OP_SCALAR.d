/* @tag: D_OP_SCALAR
 * @says: operator && requires operands of scalar type
 * @line: 5
 * scalar required (!, &&, ^^, ||, ++, --, ?: condition) */
BEGIN { trace(execname && 1); }
