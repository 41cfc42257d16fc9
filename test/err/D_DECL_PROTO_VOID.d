/* @tag: D_DECL_PROTO_VOID
 * void together with other parameters */
int f(int, void); BEGIN { exit(0); }
