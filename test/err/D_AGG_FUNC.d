/* @tag: D_AGG_FUNC
 * @says: @a must be assigned the result of an aggregating function
 * @line: 5
 * an aggregation assigned from anything but an aggregating function is an error */
BEGIN { @a = 5; }
