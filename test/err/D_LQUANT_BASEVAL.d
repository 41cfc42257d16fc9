/* @tag: D_LQUANT_BASEVAL
 * @says: lquantize( ) argument #1 must be a 32-bit quantity
 * @line: 5
 * a base of lquantize() outside 32 bits is an error */
BEGIN { @ = lquantize(1, 0x100000000, 10); }
