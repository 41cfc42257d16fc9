/* @tag: D_AGG_FUNC
 * @says: @a must be assigned the result of an aggregating function
 * @line: 5
 * assigning anything but an aggregating function to an aggregation is an error */
BEGIN { @a = 5; }
