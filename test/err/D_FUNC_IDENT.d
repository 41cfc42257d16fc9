/* @tag: D_FUNC_IDENT
 * @says: function designator is not of function type
 * @line: 5
 * called expression is not an identifier */
BEGIN { (1)(2); }
