/* @tag: D_DECL_LONGINT
 * long on non-arithmetic */
struct p { int x; }; long struct p v; BEGIN { exit(0); }
