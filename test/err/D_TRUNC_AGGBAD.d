/* @tag: D_TRUNC_AGGBAD
 * aggregation never assigned */
BEGIN { trunc(@z[1]); }
