/* @tag: D_LQUANT_BASETYPE
 * @says: lquantize( ) argument #1 must be an integer constant
 * @line: 5
 * a base of lquantize() that is no integer constant is an error */
BEGIN { @ = lquantize(1, pid, 10); }
