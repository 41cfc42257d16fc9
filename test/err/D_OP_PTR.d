/* @tag: D_OP_PTR
 * -> on non-pointer */
BEGIN { x = 4; trace(x->y); }
