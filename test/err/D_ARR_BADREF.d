/* @tag: D_ARR_BADREF
 * tuple subscript on scalar array/pointer */
int a[4]; BEGIN { trace(a[1, 2]); }
