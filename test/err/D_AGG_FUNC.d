/* @tag: D_AGG_FUNC
 * right side not an aggregating function */
BEGIN { @a = 5; }
