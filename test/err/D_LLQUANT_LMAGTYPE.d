/* @tag: D_LLQUANT_LMAGTYPE
 * @says: llquantize( ) argument #2 must be an integer constant
 * @line: 5
 * a low magnitude of llquantize() that is no integer constant is an error */
BEGIN { @ = llquantize(1, 10, pid, 6, 10); }
