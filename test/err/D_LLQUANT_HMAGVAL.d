/* @tag: D_LLQUANT_HMAGVAL
 * @says: llquantize( ) argument #3 (high magnitude) must be at least argument #2 (low magnitude)
 * @line: 5
 * hmag > 65535, < lmag, or factor^(hmag+1) > 2^64-1 */
BEGIN { @ = llquantize(1, 10, 5, 4, 10); }
