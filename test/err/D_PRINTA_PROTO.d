/* @tag: D_PRINTA_PROTO
 * @says: printa( ) prototype mismatch: expected at least one aggregation after the format
 * @line: 5
 * printa() with a format but no aggregation is an error */
BEGIN { printa("%@d\n"); }
