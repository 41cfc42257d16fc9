/* @tag: D_CLEAR_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * clear() of an aggregation that is never assigned is an error */
BEGIN { clear(@z[1]); }
