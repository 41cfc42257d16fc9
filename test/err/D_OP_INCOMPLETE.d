/* @tag: D_OP_INCOMPLETE
 * @says: operator . cannot be applied to a forward declaration: no struct nowhere definition is available
 * @line: 5
 * member access on an incomplete type is an error */
struct nowhere *n; BEGIN { trace(n->z); }
