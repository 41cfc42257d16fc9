/*@
 * what:    the compiler accepts extern arrays without size, extern structs without definition, function prototypes, and a typedef that only defines a tag
 */
extern int table[];
extern struct nowhere s;
int raise(int);
extern int strlen(char *);
typedef struct X { int a; };
struct X v;
BEGIN { v.a = strlen("abc"); printf("%d\n", v.a); exit(0); }
