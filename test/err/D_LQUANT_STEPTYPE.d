/* @tag: D_LQUANT_STEPTYPE
 * @says: lquantize( ) argument #3 must be a non-zero positive integer constant
 * @line: 5
 * a step of lquantize() that is no positive integer is an error */
BEGIN { @ = lquantize(1, 0, 10, pid); }
