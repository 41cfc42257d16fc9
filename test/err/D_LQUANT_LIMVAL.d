/* @tag: D_LQUANT_LIMVAL
 * limit not 32-bit */
BEGIN { @ = lquantize(1, 0, 0x100000000); }
