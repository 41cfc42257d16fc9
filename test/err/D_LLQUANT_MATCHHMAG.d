/* @tag: D_LLQUANT_MATCHHMAG
 * @says: llquantize( ) hmag (argument #3) doesn't match previous declaration: expected 6, found 7
 * @line: 5
 * llquantize() with another high magnitude than in an earlier use is an error */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 7, 10); }
