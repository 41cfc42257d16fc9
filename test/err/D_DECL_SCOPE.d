/* @tag: D_DECL_SCOPE
 * backquote in a declared name */
int a`b; BEGIN { exit(0); }
