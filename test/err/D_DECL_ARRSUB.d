/* @tag: D_DECL_ARRSUB
 * @says: positive integer constant expected as array dimension
 * @line: 5
 * an array dimension that is no positive integer is an error */
int a[0]; BEGIN { exit(0); }
