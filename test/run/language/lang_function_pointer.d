/*@
 * what:    function pointers can be compared and printed, and calling one is an error
 */
int (*f)(int); void (*g)(void);
BEGIN { f = g; printf("%d %d\n", f == NULL, sizeof (f)); exit(0); }
