/* @tag: D_LLQUANT_STEPTYPE
 * @says: llquantize( ) argument #4 must be a non-zero positive integer constant
 * @line: 5
 * steps not a positive INT */
BEGIN { @ = llquantize(1, 10, 0, 6, pid); }
