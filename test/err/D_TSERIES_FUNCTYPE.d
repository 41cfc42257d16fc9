/* @tag: D_TSERIES_FUNCTYPE
 * @says: tseries( ) argument #3 must be a string constant
 * @line: 5
 * a function of tseries() that is no string constant is an error */
BEGIN { @ = tseries(1, 1s, 10, execname); }
