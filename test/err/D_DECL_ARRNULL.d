/* @tag: D_DECL_ARRNULL
 * @says: array declaration requires array dimension or tuple signature
 * @line: 5
 * an array declaration without a dimension is an error */
int a[]; BEGIN { exit(0); }
