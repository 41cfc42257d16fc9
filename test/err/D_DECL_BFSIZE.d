/* @tag: D_DECL_BFSIZE
 * @says: bit-field too big for type: a
 * @line: 5
 * width > type */
struct p { char a:9; }; BEGIN { exit(0); }
