/* @tag: D_LLQUANT_STEPTYPE
 * @says: llquantize( ) argument #4 must be a non-zero positive integer constant
 * @line: 5
 * a step count of llquantize() that is no positive integer is an error */
BEGIN { @ = llquantize(1, 10, 0, 6, pid); }
