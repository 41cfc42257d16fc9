/* @tag: D_CLEAR_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * aggregation never assigned */
BEGIN { clear(@z[1]); }
