/* @tag: D_DECL_USELESS
 * declaration without name */
int; BEGIN { exit(0); }
