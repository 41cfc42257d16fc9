/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve nosuch: Unknown variable name
 * @line: 5
 * an unknown name after sizeof without parentheses is an error */
BEGIN { trace(sizeof nosuch); }
