/* @tag: D_DECL_LONGINT
 * @says: invalid type declaration: long and short may only be used with arithmetic types
 * @line: 5
 * long applied to a non-arithmetic type is an error */
struct p { int x; }; long struct p v; BEGIN { exit(0); }
