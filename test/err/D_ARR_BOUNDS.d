/* @tag: D_ARR_BOUNDS
 * @says: index outside array bounds: 4, int [4]
 * @line: 5
 * a constant index beyond an array dimension above 1 is an error */
int a[4]; BEGIN { trace(a[4]); }
