/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve nosuch: Unknown variable name
 * @line: 5
 * an unknown variable, symbol or aggregation, or a recursive inline, is an error */
BEGIN { trace(nosuch); }
