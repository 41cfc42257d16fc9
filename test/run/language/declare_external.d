/*@
 * what:    extern arrays without size, incomplete extern structs, prototypes of D functions and typedef tags are accepted
 */
extern int table[];
extern struct nowhere s;
int raise(int);
extern int strlen(char *);
typedef struct X { int a; };
struct X v;
BEGIN { v.a = strlen("abc"); printf("%d\n", v.a); exit(0); }
