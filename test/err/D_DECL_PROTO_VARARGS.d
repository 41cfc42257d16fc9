/* @tag: D_DECL_PROTO_VARARGS
 * @says: associative array prototype may not be variadic
 * @line: 5
 * ... in array or probe prototype */
int m[int, ...]; BEGIN { exit(0); }
