/* @tag: D_DECL_BFCONST
 * width not a positive INT */
struct p { int a:-1; }; BEGIN { exit(0); }
