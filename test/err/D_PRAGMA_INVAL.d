/* @tag: D_PRAGMA_INVAL
 * unknown D pragma, bad attribute/version/class word */
#pragma D frob
BEGIN { exit(0); }
