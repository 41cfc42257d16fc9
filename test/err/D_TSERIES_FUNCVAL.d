/* @tag: D_TSERIES_FUNCVAL
 * @says: tseries( ) argument #3 must be "sum", "avg", "min", "max" or "count", not "quantize"
 * @line: 5
 * a function that tseries() cannot apply to an interval is an error */
BEGIN { @ = tseries(1, 1s, 10, "quantize"); }
