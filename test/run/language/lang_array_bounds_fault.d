/*@
 * what:    an index variable outside the array raises a fault that reports the index
 * stderr:  contains
 */
int a[4];
BEGIN { i = 4; trace(a[i]); }
BEGIN { i = -1; trace(a[i]); }
BEGIN { exit(0); }
ERROR { printf("%d %d\n", arg4, arg5); }
