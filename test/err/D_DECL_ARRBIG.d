/* @tag: D_DECL_ARRBIG
 * dimension > 2^32-1 */
int a[0x100000000]; BEGIN { exit(0); }
