/* @tag: D_LLQUANT_FACTORTYPE
 * @says: llquantize( ) argument #1 must be an integer constant
 * @line: 5
 * a factor of llquantize() that is no integer constant is an error */
BEGIN { @ = llquantize(1, pid, 0, 6, 10); }
