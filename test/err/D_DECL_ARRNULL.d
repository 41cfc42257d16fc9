/* @tag: D_DECL_ARRNULL
 * @says: array declaration requires array dimension or tuple signature
 * @line: 5
 * missing dimension/tuple; scalar-array inline */
int a[]; BEGIN { exit(0); }
