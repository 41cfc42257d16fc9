/* @tag: D_OP_LVAL
 * target not an lvalue; second function on one aggregation assignment */
BEGIN { 5 = 3; }
