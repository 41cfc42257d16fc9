/* @tag: D_DECL_TYPERED
 * @says: type redeclared: struct p
 * @line: 5
 * defining a struct, union or enum whose tag is already defined is an error */
struct p { int x; }; struct p { int y; }; BEGIN { exit(0); }
