/* @tag: D_AGG_SCALAR
 * @says: sum( ) argument #1 must be of scalar type
 * @line: 5
 * aggregated value not scalar */
BEGIN { @a = sum("x"); }
