/* @tag: D_ALLOCA_INCOMPAT
 * @says: p: cannot hold both scratch and other pointers
 * @line: 5
 * variable used for scratch and other pointers, or ?: mixing them assigned */
BEGIN { p = (int *)curthread; p = (int *)alloca(8); }
