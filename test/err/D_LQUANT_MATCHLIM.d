/* @tag: D_LQUANT_MATCHLIM
 * @says: lquantize( ) limit (argument #2) doesn't match previous declaration: expected 10, found 11
 * @line: 5
 * lquantize() with another limit than in an earlier use is an error */
BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 0, 11); }
