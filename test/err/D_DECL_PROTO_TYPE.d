/* @tag: D_DECL_PROTO_TYPE
 * @says: parameter may not be of type void
 * @line: 5
 * a key of type void in the declaration of an associative array is an error */
int m[void]; BEGIN { exit(0); }
