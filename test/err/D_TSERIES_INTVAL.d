/* @tag: D_TSERIES_INTVAL
 * @says: tseries( ) argument #1 (interval in nanoseconds) must be positive
 * @line: 5
 * an interval of tseries() of 0 ns is an error */
BEGIN { @ = tseries(1, 0, 10, "sum"); }
