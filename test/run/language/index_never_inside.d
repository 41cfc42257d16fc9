/*@
 * what:    an index that is outside its array whatever happens faults when it is used
 * stderr:  contains
 */
int arr[7];
int g;
BEGIN { g = 1; trace(arr[(g & 3) + 10]); }
BEGIN { arr[(g & 3) - 10] = 1; }
ERROR { printf("%d\n", (int)arg5); }
BEGIN { exit(0); }
