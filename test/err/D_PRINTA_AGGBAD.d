/* @tag: D_PRINTA_AGGBAD
 * aggregation never assigned */
BEGIN { printa(@z[1]); }
