/* @tag: D_DECL_PROTO_FORM
 * @says: parameter name used more than once: a
 * @line: 5
 * duplicate parameter name; output name unknown */
int m[int a, int a]; BEGIN { exit(0); }
