/* @tag: D_DECL_CLASS
 * @says: only one storage class allowed in declaration
 * @line: 5
 * two storage classes in a declaration are an error */
self this int x; BEGIN { exit(0); }
