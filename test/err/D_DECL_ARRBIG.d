/* @tag: D_DECL_ARRBIG
 * @says: maximum dimension of an array is 4294967295
 * @line: 5
 * dimension > 2^32-1 */
int a[0x100000000]; BEGIN { exit(0); }
