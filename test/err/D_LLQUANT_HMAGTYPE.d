/* @tag: D_LLQUANT_HMAGTYPE
 * @says: llquantize( ) argument #3 must be an integer constant
 * @line: 5
 * a high magnitude of llquantize() that is no integer constant is an error */
BEGIN { @ = llquantize(1, 10, 0, pid, 10); }
