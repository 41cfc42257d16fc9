/* @tag: D_ALLOCA_INCOMPAT
 * @says: p: cannot hold both scratch and other pointers
 * @line: 5
 * a variable that holds scratch pointers and other pointers, or a ?: that mixes them, is an error */
BEGIN { p = (int *)curthread; p = (int *)alloca(8); }
