/* @tag: D_LLQUANT_MATCHFACTOR
 * @says: llquantize( ) factor (argument #1) doesn't match previous declaration: expected 10, found 20
 * @line: 5
 * llquantize() with another factor than in an earlier use is an error */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 20, 0, 6, 20); }
