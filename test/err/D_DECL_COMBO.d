/* @tag: D_DECL_COMBO
 * two type names */
int int x; BEGIN { exit(0); }
