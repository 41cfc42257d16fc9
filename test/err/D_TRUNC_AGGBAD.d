/* @tag: D_TRUNC_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * aggregation never assigned */
BEGIN { trunc(@z[1]); }
