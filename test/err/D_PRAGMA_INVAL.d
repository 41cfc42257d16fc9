/* @tag: D_PRAGMA_INVAL
 * @says: invalid D pragma: frob
 * @line: 5
 * an unknown D pragma, or an invalid attribute, version or class word, is an error */
#pragma D frob
BEGIN { exit(0); }
