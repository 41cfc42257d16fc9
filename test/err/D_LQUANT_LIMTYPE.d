/* @tag: D_LQUANT_LIMTYPE
 * @says: lquantize( ) argument #2 must be an integer constant
 * @line: 5
 * limit not INT */
BEGIN { @ = lquantize(1, 0, pid); }
