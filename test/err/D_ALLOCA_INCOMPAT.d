/* @tag: D_ALLOCA_INCOMPAT
 * variable used for scratch and other pointers, or ?: mixing them assigned */
BEGIN { p = (int *)curthread; p = (int *)alloca(8); }
