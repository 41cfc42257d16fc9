/* @tag: D_NORMALIZE_AGGBAD
 * aggregation never assigned */
BEGIN { normalize(@z[1], 2); }
