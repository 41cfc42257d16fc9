/* @tag: D_LQUANT_STEPLARGE
 * @says: lquantize( ) step (argument #3) too large: must have at least one quantization level
 * @line: 5
 * a step of lquantize() larger than its range is an error */
BEGIN { @ = lquantize(1, 0, 10, 20); }
