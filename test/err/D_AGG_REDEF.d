/* @tag: D_AGG_REDEF
 * @says: aggregation redefined: @a | current: @a = sum( ) | previous: @a = count( ) : line 5
 * @line: 5
 * two functions for one aggregation */
BEGIN { @a = count(); @a = sum(1); }
