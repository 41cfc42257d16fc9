/* @tag: D_OP_SOU
 * . on non-struct, -> on pointer to non-struct */
BEGIN { x = 4; trace(x.y); }
