/* @tag: D_AGG_SCALAR
 * @says: sum( ) argument #1 must be of scalar type
 * @line: 5
 * an aggregating function of a non-scalar value is an error */
BEGIN { @a = sum("x"); }
