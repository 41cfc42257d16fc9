/* @tag: D_LQUANT_BASEVAL
 * @says: lquantize( ) argument #1 must be a 32-bit quantity
 * @line: 5
 * base not 32-bit */
BEGIN { @ = lquantize(1, 0x100000000, 10); }
