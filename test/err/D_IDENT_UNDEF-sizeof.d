/* @tag: D_IDENT_UNDEF
 * without parentheses only an expression can follow sizeof */
BEGIN { trace(sizeof nosuch); }
