/* @tag: D_DECL_PROTO_NAME
 * @says: parameter of type void may not have a name: v
 * @line: 5
 * named void; missing name in output list */
int f(void v); BEGIN { exit(0); }
