/* @tag: D_TSERIES_INTTYPE
 * @says: tseries( ) argument #1 must be an integer constant
 * @line: 5
 * an interval of tseries() that is no constant is an error */
BEGIN { @ = tseries(1, pid, 10, "sum"); }
