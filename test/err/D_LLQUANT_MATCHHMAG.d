/* @tag: D_LLQUANT_MATCHHMAG
 * @says: llquantize( ) hmag (argument #3) doesn't match previous declaration: expected 6, found 7
 * @line: 5
 * other hmag */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 7, 10); }
