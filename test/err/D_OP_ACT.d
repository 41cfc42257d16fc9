/* @tag: D_OP_ACT
 * @says: tracing functions may not be called from a ?: expression
 * @line: 5
 * action inside , or ?: */
BEGIN { pid ? exit(0) : exit(1); }
