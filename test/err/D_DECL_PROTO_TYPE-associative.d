/* @tag: D_DECL_PROTO_TYPE
 * @says: parameter may not be an associative array: q
 * @line: 5
 * an associative array as parameter is an error */
int f(int q[int]); BEGIN { exit(0); }
