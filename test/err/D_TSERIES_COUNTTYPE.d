/* @tag: D_TSERIES_COUNTTYPE
 * @says: tseries( ) argument #2 must be an integer constant
 * @line: 5
 * a number of intervals of tseries() that is no constant is an error */
BEGIN { @ = tseries(1, 1s, pid, "sum"); }
