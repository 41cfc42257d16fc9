/* @tag: D_ALLOCA_INCOMPAT
 * @says: p: cannot hold both addresses of scratch memory and other pointers
 * @line: 5
 * assigning alloca() memory and other pointers to one variable, or mixing them in a ?:, is an error */
BEGIN { p = (int *)curthread; p = (int *)alloca(8); }
