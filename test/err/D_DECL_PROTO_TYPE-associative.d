/* @tag: D_DECL_PROTO_TYPE
 * an associative array as parameter */
int f(int q[int]); BEGIN { exit(0); }
