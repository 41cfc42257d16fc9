/* @tag: D_ARR_BOUNDS
 * @says: index outside array bounds: 4, int [4]
 * @line: 5
 * a constant index outside an array of more than one element is an error */
int a[4]; BEGIN { trace(a[4]); }
