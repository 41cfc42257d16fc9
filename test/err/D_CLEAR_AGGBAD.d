/* @tag: D_CLEAR_AGGBAD
 * aggregation never assigned */
BEGIN { clear(@z[1]); }
