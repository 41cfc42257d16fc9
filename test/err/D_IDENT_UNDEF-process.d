/* @tag: D_IDENT_UNDEF
 * @message: failed to resolve ``nosuch: Unknown symbol name
 * no object of the process has the symbol */
BEGIN { trace(``nosuch); }
