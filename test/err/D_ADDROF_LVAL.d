/* @tag: D_ADDROF_LVAL
 * & of non-lvalue */
BEGIN { trace(&5); }
