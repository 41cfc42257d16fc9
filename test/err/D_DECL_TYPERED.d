/* @tag: D_DECL_TYPERED
 * @says: type redeclared: struct p
 * @line: 5
 * a redefined tag is an error */
struct p { int x; }; struct p { int y; }; BEGIN { exit(0); }
