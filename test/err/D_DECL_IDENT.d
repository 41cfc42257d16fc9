/* @tag: D_DECL_IDENT
 * two declarator names without separator, where lexing allows it */
int string string; BEGIN { exit(0); }
