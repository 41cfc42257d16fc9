/* @tag: D_ARR_BOUNDS
 * @says: index outside array bounds: 4, int [4]
 * @line: 5
 * constant index beyond dimension (> 1) */
int a[4]; BEGIN { trace(a[4]); }
