/* @tag: D_DECL_PROTO_TYPE
 * @says: parameter may not be of type void
 * @line: 5
 * void/dynamic parameter where not allowed */
int m[void]; BEGIN { exit(0); }
