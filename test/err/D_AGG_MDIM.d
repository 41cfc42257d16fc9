/* @tag: D_AGG_MDIM
 * @says: improper attempt to reference @a as a multi-dimensional array
 * @line: 5
 * two subscripts on one aggregation, as in @a[1][2], are an error */
BEGIN { @a[1][2] = count(); }
