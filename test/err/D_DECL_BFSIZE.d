/* @tag: D_DECL_BFSIZE
 * @says: bit-field too big for type: a
 * @line: 5
 * a bit-field wider than its type is an error */
struct p { char a:9; }; BEGIN { exit(0); }
