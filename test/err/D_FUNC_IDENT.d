/* @tag: D_FUNC_IDENT
 * @says: function designator is not of function type
 * @line: 5
 * calling an expression that is no identifier is an error */
BEGIN { (1)(2); }
