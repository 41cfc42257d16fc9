/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve nosuch: Unknown variable name
 * @line: 5
 * unknown variable, symbol, aggregation; recursive inline */
BEGIN { trace(nosuch); }
