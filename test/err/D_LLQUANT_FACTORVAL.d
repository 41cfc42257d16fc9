/* @tag: D_LLQUANT_FACTORVAL
 * @says: llquantize( ) argument #1 must be an unsigned 16-bit quantity greater than or equal to 2
 * @line: 5
 * factor < 2 or > 65535 */
BEGIN { @ = llquantize(1, 1, 0, 6, 10); }
