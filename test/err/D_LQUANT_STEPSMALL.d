/* @tag: D_LQUANT_STEPSMALL
 * @says: lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity
 * @line: 5
 * (limit-base)/step > 65535 */
BEGIN { @ = lquantize(1, 0, 100000, 1); }
