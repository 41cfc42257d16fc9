/* @tag: D_FUNC_IDENT
 * called expression is not an identifier */
BEGIN { (1)(2); }
