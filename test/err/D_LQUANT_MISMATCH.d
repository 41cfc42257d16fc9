/* @tag: D_LQUANT_MISMATCH
 * limit ≤ base */
BEGIN { @ = lquantize(1, 10, 5); }
