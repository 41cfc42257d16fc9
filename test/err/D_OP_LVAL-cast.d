/* @tag: D_OP_LVAL
 * a cast is no lvalue, and the grammar lets it stand there */
BEGIN { x = 1; (int)x = 3; }
