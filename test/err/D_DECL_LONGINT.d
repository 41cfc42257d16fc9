/* @tag: D_DECL_LONGINT
 * @says: invalid type declaration: long and short may only be used with arithmetic types
 * @line: 5
 * long on non-arithmetic */
struct p { int x; }; long struct p v; BEGIN { exit(0); }
