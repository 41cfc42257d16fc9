/* @tag: D_DECL_BFTYPE
 * base type not integer */
struct p { float a:3; }; BEGIN { exit(0); }
