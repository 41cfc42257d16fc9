/* @tag: D_TSERIES_MATCHFUNC
 * @says: tseries( ) function (argument #3) doesn't match previous declaration: expected "sum", found "max"
 * @line: 5
 * tseries() with another function than in an earlier use is an error */
BEGIN { @a = tseries(1, 1s, 10, "sum"); @a = tseries(1, 1s, 10, "max"); }
