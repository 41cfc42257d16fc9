/* @tag: D_PRINTA_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * aggregation never assigned */
BEGIN { printa(@z[1]); }
