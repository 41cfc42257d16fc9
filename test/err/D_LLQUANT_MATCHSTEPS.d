/* @tag: D_LLQUANT_MATCHSTEPS
 * @says: llquantize( ) steps (argument #4) doesn't match previous declaration: expected 10, found 20
 * @line: 5
 * llquantize() with another number of steps than in an earlier use is an error */
BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 6, 20); }
