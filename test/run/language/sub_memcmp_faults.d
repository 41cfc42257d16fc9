/*@
 * what:    memcmp() with an invalid size or address raises a fault
 * stderr:  exact
 */
int n;
BEGIN { n = -1; memcmp(curthread, curthread, n); }
BEGIN { n = 257; memcmp(curthread, curthread, n); }
BEGIN { memcmp((void *)8, curthread, 8); }
BEGIN { memcmp(curthread, (void *)0, 8); }
BEGIN { memcmp(curthread, alloca(8), 9); }
BEGIN { memcmp("abc", "abcd", 5); }
BEGIN { exit(0); }
