/* @tag: D_LQUANT_STEPSMALL
 * @says: lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity
 * @line: 5
 * a step of lquantize() that gives more than 65535 levels is an error */
BEGIN { @ = lquantize(1, 0, 100000, 1); }
