/* @tag: D_LLQUANT_FACTORVAL
 * @says: llquantize( ) argument #1 must be an unsigned 16-bit quantity greater than or equal to 2
 * @line: 5
 * a factor of llquantize() below 2 or above 65535 is an error */
BEGIN { @ = llquantize(1, 1, 0, 6, 10); }
