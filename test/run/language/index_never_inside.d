/*@
 * what:    an array index that is never inside the array compiles and raises a fault at run time
 * stderr:  contains
 */
int arr[7];
int g;
BEGIN { g = 1; trace(arr[(g & 3) + 10]); }
BEGIN { arr[(g & 3) - 10] = 1; }
ERROR { printf("%d\n", (int)arg5); }
BEGIN { exit(0); }
