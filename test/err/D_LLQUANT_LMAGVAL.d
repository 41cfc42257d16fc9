/* @tag: D_LLQUANT_LMAGVAL
 * @says: llquantize( ) argument #2 must be an unsigned 16-bit quantity
 * @line: 5
 * a low magnitude of llquantize() above 65535 is an error */
BEGIN { @ = llquantize(1, 10, 70000, 6, 10); }
