/* @tag: D_AGG_SCALAR
 * aggregated value not scalar */
BEGIN { @a = sum("x"); }
