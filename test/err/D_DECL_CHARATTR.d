/* @tag: D_DECL_CHARATTR
 * long/short char */
long char c; BEGIN { exit(0); }
