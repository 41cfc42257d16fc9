/* @tag: D_ARR_BADREF
 * @says: cannot access int [4] as an associative array
 * @line: 5
 * a subscript with several keys on a scalar array or pointer is an error */
int a[4]; BEGIN { trace(a[1, 2]); }
