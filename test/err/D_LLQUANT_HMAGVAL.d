/* @tag: D_LLQUANT_HMAGVAL
 * hmag > 65535, < lmag, or factor^(hmag+1) > 2^64-1 */
BEGIN { @ = llquantize(1, 10, 5, 4, 10); }
