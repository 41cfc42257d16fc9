/* @tag: D_DECL_IDRED
 * @says: identifier redeclared: size_t | current: typedef unsigned long | previous: typedef
 * @line: 6
 * a typedef of a predefined type name, such as size_t, is an error after the program has used this name */
size_t length;
typedef unsigned long size_t;
BEGIN { exit(0); }
