/* @tag: D_ARR_BADREF
 * @says: cannot access int [4] as an associative array
 * @line: 5
 * tuple subscript on scalar array/pointer */
int a[4]; BEGIN { trace(a[1, 2]); }
