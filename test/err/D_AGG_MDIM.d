/* @tag: D_AGG_MDIM
 * @says: improper attempt to reference @a as a multi-dimensional array
 * @line: 5
 * subscript of a subscripted aggregation */
BEGIN { @a[1][2] = count(); }
