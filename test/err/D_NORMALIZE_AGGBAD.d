/* @tag: D_NORMALIZE_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * normalize() of an aggregation that is never assigned is an error */
BEGIN { normalize(@z[1], 2); }
