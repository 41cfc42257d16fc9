/* @tag: D_PRINTA_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * printa() of an aggregation that is never assigned is an error */
BEGIN { printa(@z[1]); }
