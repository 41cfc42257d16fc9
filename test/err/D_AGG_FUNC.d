/* @tag: D_AGG_FUNC
 * @says: @a must be assigned the result of an aggregating function
 * @line: 5
 * right side not an aggregating function */
BEGIN { @a = 5; }
