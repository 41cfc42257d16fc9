/* @tag: D_DECL_PROTO_VARARGS
 * ... in array or probe prototype */
int m[int, ...]; BEGIN { exit(0); }
