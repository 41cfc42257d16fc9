/* @tag: D_DECL_USELESS
 * @says: declaration has no effect: it names nothing
 * @line: 5
 * declaration without name */
int; BEGIN { exit(0); }
