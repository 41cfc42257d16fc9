/* @tag: D_DECL_IDENT
 * @says: old-style declaration or incorrect type specified
 * @line: 5
 * two declarator names without a separator are an error */
int string string; BEGIN { exit(0); }
