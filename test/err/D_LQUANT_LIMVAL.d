/* @tag: D_LQUANT_LIMVAL
 * @says: lquantize( ) argument #2 must be a 32-bit quantity
 * @line: 5
 * a limit of lquantize() outside 32 bits is an error */
BEGIN { @ = lquantize(1, 0, 0x100000000); }
