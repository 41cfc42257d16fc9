/* @tag: D_PRINT_SIZE
 * @says: print( ) argument #1 reference has type 'struct nowhere' with size 0; cannot print( ) it.
 * @line: 5
 * pointed-to type has size 0 (incomplete) */
BEGIN { print((struct nowhere *)alloca(8)); }
