/* @tag: D_DECL_PROTO_FORM
 * @says: parameter name used more than once: a
 * @line: 5
 * a duplicate parameter name or an unknown output name is an error */
int m[int a, int a]; BEGIN { exit(0); }
