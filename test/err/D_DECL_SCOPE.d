/* @tag: D_DECL_SCOPE
 * @says: D scoping operator may not be used in a declaration name
 * @line: 5
 * a backquote in a declared name is an error */
int a`b; BEGIN { exit(0); }
