/* @tag: D_DECL_PROTO_NAME
 * @says: parameter of type void may not have a name: v
 * @line: 5
 * a void parameter with a name, or a probe's output parameter without a name, is an error */
int f(void v); BEGIN { exit(0); }
