/* @tag: D_DECL_PROTO_VARARGS
 * @says: associative array prototype may not be variadic
 * @line: 5
 * ... in the declaration of an associative array or a probe is an error */
int m[int, ...]; BEGIN { exit(0); }
