/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: size_t | current: typedef unsigned long | previous: typedef
 * @line: 6
 * a typedef of a known name that was used before, written as C headers do: the name is the declarator, not a second type */
size_t length;
typedef unsigned long size_t;
BEGIN { exit(0); }
