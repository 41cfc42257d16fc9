/* @tag: D_DECL_PROTO_VARARGS
 * @says: associative array prototype may not be variadic
 * @line: 5
 * the ... of an array or probe prototype is an error */
int m[int, ...]; BEGIN { exit(0); }
