/* @tag: D_LLQUANT_FACTORTYPE
 * @says: llquantize( ) argument #1 must be an integer constant
 * @line: 5
 * factor not INT */
BEGIN { @ = llquantize(1, pid, 0, 6, 10); }
