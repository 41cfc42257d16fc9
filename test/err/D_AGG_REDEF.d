/* @tag: D_AGG_REDEF
 * @says: aggregation redefined: @a | current: @a = sum( ) | previous: @a = count( ) : line 5
 * @line: 5
 * using two different aggregating functions for one aggregation is an error */
BEGIN { @a = count(); @a = sum(1); }
