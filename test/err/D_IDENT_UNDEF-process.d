/* @tag: D_IDENT_UNDEF
 * @says: failed to resolve ``nosuch: Unknown symbol name
 * @line: 5
 * a symbol that no object of the process defines is an error */
BEGIN { trace(``nosuch); }
