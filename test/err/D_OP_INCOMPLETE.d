/* @tag: D_OP_INCOMPLETE
 * member access on a type that is only declared */
struct nowhere *n; BEGIN { trace(n->z); }
