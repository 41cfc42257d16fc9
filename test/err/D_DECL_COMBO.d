/* @tag: D_DECL_COMBO
 * @says: invalid type combination
 * @line: 5
 * two type names */
int int x; BEGIN { exit(0); }
