/* @tag: D_DECL_ARRBIG
 * @says: maximum dimension of an array is 4294967295
 * @line: 5
 * an array dimension above 2^32-1 is an error */
int a[0x100000000]; BEGIN { exit(0); }
