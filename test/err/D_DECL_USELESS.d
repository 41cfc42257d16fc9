/* @tag: D_DECL_USELESS
 * @says: declaration has no effect: it names nothing
 * @line: 5
 * a declaration without a name is an error */
int; BEGIN { exit(0); }
