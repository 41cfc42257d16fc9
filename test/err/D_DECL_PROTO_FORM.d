/* @tag: D_DECL_PROTO_FORM
 * @says: parameter name used more than once: a
 * @line: 5
 * a parameter name used twice, or a probe's output parameter that is no input parameter, is an error */
int m[int a, int a]; BEGIN { exit(0); }
