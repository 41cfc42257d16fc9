/* @tag: D_IDENT_UNDEF
 * @message: ^failed to resolve nosuch: Unknown variable name$
 * unknown variable, symbol, aggregation; recursive inline */
BEGIN { trace(nosuch); }
