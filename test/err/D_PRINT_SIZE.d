/* @tag: D_PRINT_SIZE
 * @says: print( ) argument #1 reference has type 'struct nowhere' with size 0; cannot print( ) it.
 * @line: 5
 * print() of a pointer to an incomplete type is an error */
BEGIN { print((struct nowhere *)alloca(8)); }
