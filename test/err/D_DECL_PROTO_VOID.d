/* @tag: D_DECL_PROTO_VOID
 * @says: void must be the only parameter
 * @line: 5
 * void together with other parameters is an error */
int f(int, void); BEGIN { exit(0); }
