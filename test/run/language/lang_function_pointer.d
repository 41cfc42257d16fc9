/*@
 * what:    function pointers can be compared and printed but not called
 */
int (*f)(int); void (*g)(void);
BEGIN { f = g; printf("%d %d\n", f == NULL, sizeof (f)); exit(0); }
