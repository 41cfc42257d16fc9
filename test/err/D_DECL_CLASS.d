/* @tag: D_DECL_CLASS
 * @says: only one storage class allowed in declaration
 * @line: 5
 * two storage classes */
self this int x; BEGIN { exit(0); }
