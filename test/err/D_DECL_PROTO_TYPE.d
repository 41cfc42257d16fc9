/* @tag: D_DECL_PROTO_TYPE
 * @says: parameter may not be of type void
 * @line: 5
 * a void or dynamic parameter is an error where it is not allowed */
int m[void]; BEGIN { exit(0); }
