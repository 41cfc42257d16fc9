/* @tag: D_DECL_COMBO
 * @says: invalid type combination
 * @line: 5
 * two type names in a declaration are an error */
int int x; BEGIN { exit(0); }
