/* @tag: D_LLQUANT_HMAGVAL
 * @says: llquantize( ) argument #3 (high magnitude) must be at least argument #2 (low magnitude)
 * @line: 5
 * a high magnitude of llquantize() that is above 65535, below the low one, or beyond 64 bits is an error */
BEGIN { @ = llquantize(1, 10, 5, 4, 10); }
