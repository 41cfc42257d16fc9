/* @tag: D_LQUANT_MATCHBASE
 * @says: lquantize( ) base (argument #1) doesn't match previous declaration: expected 0, found 1
 * @line: 5
 * other base than earlier use */
BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 1, 10); }
