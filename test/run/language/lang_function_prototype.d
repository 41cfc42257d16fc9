/*@
 * what:    a program may contain function prototypes
 */
int f(int); void g(void); extern int h(char *, ...);
BEGIN { printf("ok\n"); exit(0); }
