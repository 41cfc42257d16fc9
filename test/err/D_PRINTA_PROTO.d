/* @tag: D_PRINTA_PROTO
 * format only, no aggregation */
BEGIN { printa("%@d\n"); }
