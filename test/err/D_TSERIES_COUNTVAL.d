/* @tag: D_TSERIES_COUNTVAL
 * @says: tseries( ) argument #2 (number of intervals) must be from 1 to 800 with "avg"
 * @line: 5
 * 801 intervals of averages do not fit into a per-CPU value */
BEGIN { @ = tseries(1, 1s, 801, "avg"); }
