/* @tag: D_AGG_REDEF
 * @says: aggregation redefined: @a | current: @a = sum( ) | previous: @a = count( ) : line 5
 * @line: 5
 * two different functions for one aggregation are an error */
BEGIN { @a = count(); @a = sum(1); }
