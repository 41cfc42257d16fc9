/* @tag: D_DECL_PROTO_NAME
 * named void; missing name in output list */
int f(void v); BEGIN { exit(0); }
