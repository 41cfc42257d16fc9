/* @tag: D_OP_ACT
 * @says: tracing functions may not be called from a ?: expression
 * @line: 5
 * an action as operand of the comma or ?: operator is an error */
BEGIN { pid ? exit(0) : exit(1); }
