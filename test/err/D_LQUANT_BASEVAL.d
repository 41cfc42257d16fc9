/* @tag: D_LQUANT_BASEVAL
 * base not 32-bit */
BEGIN { @ = lquantize(1, 0x100000000, 10); }
