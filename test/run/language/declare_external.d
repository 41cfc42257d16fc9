/*@
 * what:    extern arrays without a size, extern structs without a definition, prototypes of D's own functions, tags declared by typedef
 */
extern int table[];
extern struct nowhere s;
int raise(int);
extern int strlen(char *);
typedef struct X { int a; };
struct X v;
BEGIN { v.a = strlen("abc"); printf("%d\n", v.a); exit(0); }
