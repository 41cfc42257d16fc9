/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve ``nosuch: Unknown symbol name
 * @line: 5
 * no object of the process has the symbol */
BEGIN { trace(``nosuch); }
