/* @tag: D_LQUANT_STEPVAL
 * @says: lquantize( ) argument #3 must be a 16-bit quantity
 * @line: 5
 * a step of lquantize() above 65535 is an error */
BEGIN { @ = lquantize(1, 0, 100000, 70000); }
