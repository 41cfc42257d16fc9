/* @tag: D_DECL_SCOPE
 * @says: D scoping operator may not be used in a declaration name
 * @line: 5
 * backquote in a declared name */
int a`b; BEGIN { exit(0); }
