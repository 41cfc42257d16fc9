/*@
 * what:    typedefs can name arrays, pointers, structs and functions
 */
typedef int four[4]; typedef struct p { int x; } p_t; typedef p_t *pp; typedef int (*fn)(int, char *);
four f; p_t v; fn g; pp h;
BEGIN { f[3] = 1; v.x = 2; printf("%d %d %d %d %d\n", f[3], v.x, sizeof (four), sizeof (fn), g == NULL); exit(0); }
