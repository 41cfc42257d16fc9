/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve nosuch: Unknown variable name
 * @line: 5
 * without parentheses only an expression can follow sizeof */
BEGIN { trace(sizeof nosuch); }
