/* @tag: D_LQUANT_MATCHBASE
 * @says: lquantize( ) base (argument #1) doesn't match previous declaration: expected 0, found 1
 * @line: 5
 * lquantize() with another base than in an earlier use is an error */
BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10); }
