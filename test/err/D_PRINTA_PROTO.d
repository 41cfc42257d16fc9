/* @tag: D_PRINTA_PROTO
 * @says: printa( ) prototype mismatch: expected at least one aggregation after the format
 * @line: 5
 * format only, no aggregation */
BEGIN { printa("%@d\n"); }
