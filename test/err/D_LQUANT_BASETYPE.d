/* @tag: D_LQUANT_BASETYPE
 * @says: lquantize( ) argument #1 must be an integer constant
 * @line: 5
 * base not INT */
BEGIN { @ = lquantize(1, pid, 10); }
