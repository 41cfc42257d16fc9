/* @tag: D_TRUNC_AGGBAD
 * @says: undefined aggregation: @z
 * @line: 5
 * trunc() of an aggregation that is never assigned is an error */
BEGIN { trunc(@z[1]); }
