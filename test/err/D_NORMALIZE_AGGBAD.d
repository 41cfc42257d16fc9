/* @tag: D_NORMALIZE_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * aggregation never assigned */
BEGIN { normalize(@z[1], 2); }
