/* @tag: D_ARR_BOUNDS
 * constant index beyond dimension (> 1) */
int a[4]; BEGIN { trace(a[4]); }
