/* @tag: D_LQUANT_MISMATCH
 * @says: lquantize( ) base (argument #1) must be less than limit (argument #2)
 * @line: 5
 * limit ≤ base */
BEGIN { @ = lquantize(1, 10, 5); }
