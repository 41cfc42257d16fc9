/* @tag: D_LQUANT_MISMATCH
 * @says: lquantize( ) base (argument #1) must be less than limit (argument #2)
 * @line: 5
 * a limit of lquantize() not above its base is an error */
BEGIN { @ = lquantize(1, 10, 5); }
