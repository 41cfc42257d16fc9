/* @tag: D_PRAGMA_INVAL
 * @says: invalid D pragma: frob
 * @line: 5
 * unknown D pragma, bad attribute/version/class word */
#pragma D frob
BEGIN { exit(0); }
