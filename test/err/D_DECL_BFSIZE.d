/* @tag: D_DECL_BFSIZE
 * width > type */
struct p { char a:9; }; BEGIN { exit(0); }
