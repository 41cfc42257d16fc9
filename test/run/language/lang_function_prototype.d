/*@
 * what:    function prototypes at the top level are accepted
 */
int f(int); void g(void); extern int h(char *, ...);
BEGIN { printf("ok\n"); exit(0); }
