/* @tag: D_LLQUANT_MATCHLMAG
 * @says: llquantize( ) lmag (argument #2) doesn't match previous declaration: expected 0, found 1
 * @line: 5
 * llquantize() with another low magnitude than in an earlier use is an error */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 1, 6, 10); }
