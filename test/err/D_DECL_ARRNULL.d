/* @tag: D_DECL_ARRNULL
 * missing dimension/tuple; scalar-array inline */
int a[]; BEGIN { exit(0); }
