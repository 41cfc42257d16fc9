/* @tag: D_TSERIES_MATCHCOUNT
 * @says: tseries( ) number of intervals (argument #2) doesn't match previous declaration: expected 10, found 20
 * @line: 5
 * tseries() with another number of intervals than in an earlier use is an error */
BEGIN { @a = tseries(1, 1s, 10, "sum"); @a = tseries(1, 1s, 20, "sum"); }
