/* @tag: D_PRINT_SIZE
 * pointed-to type has size 0 (incomplete) */
BEGIN { print((struct nowhere *)alloca(8)); }
