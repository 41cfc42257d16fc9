/* @tag: D_AGG_MDIM
 * @says: improper attempt to reference @a as a multi-dimensional array
 * @line: 5
 * a second subscript on an aggregation is an error */
BEGIN { @a[1][2] = count(); }
