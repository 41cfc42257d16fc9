/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: size_t | current: typedef unsigned long | previous: typedef
 * @line: 6
 * a typedef of a known type name after its first use is a redeclaration error */
size_t length;
typedef unsigned long size_t;
BEGIN { exit(0); }
