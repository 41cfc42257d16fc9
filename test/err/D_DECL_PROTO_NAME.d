/* @tag: D_DECL_PROTO_NAME
 * @says: parameter of type void may not have a name: v
 * @line: 5
 * a named void parameter, or a missing name in the output list, is an error */
int f(void v); BEGIN { exit(0); }
