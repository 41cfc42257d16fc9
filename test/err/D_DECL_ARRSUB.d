/* @tag: D_DECL_ARRSUB
 * dimension not a positive INT */
int a[0]; BEGIN { exit(0); }
