/* @tag: D_LQUANT_LIMTYPE
 * @says: lquantize( ) argument #2 must be an integer constant
 * @line: 5
 * a limit of lquantize() that is no integer constant is an error */
BEGIN { @ = lquantize(1, 0, pid); }
