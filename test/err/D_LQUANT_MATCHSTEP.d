/* @tag: D_LQUANT_MATCHSTEP
 * @says: lquantize( ) step (argument #3) doesn't match previous declaration: expected 1, found 2
 * @line: 5
 * lquantize() with another step than in an earlier use is an error */
BEGIN { @a = lquantize(1, 0, 10, 1); @a = lquantize(1, 0, 10, 2); }
