/* @tag: D_TSERIES_MATCHINT
 * @says: tseries( ) interval (argument #1) doesn't match previous declaration: expected 1000000000, found 2000000000
 * @line: 5
 * tseries() with another interval than in an earlier use is an error */
BEGIN { @a = tseries(1, 1s, 10, "sum"); @a = tseries(1, 2s, 10, "sum"); }
