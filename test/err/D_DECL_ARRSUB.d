/* @tag: D_DECL_ARRSUB
 * @says: positive integer constant expected as array dimension
 * @line: 5
 * dimension not a positive INT */
int a[0]; BEGIN { exit(0); }
