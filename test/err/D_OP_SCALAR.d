/* @tag: D_OP_SCALAR
 * scalar required (!, &&, ^^, ||, ++, --, ?: condition) */
BEGIN { trace(execname && 1); }
