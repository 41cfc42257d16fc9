/* @tag: D_AGG_MDIM
 * subscript of a subscripted aggregation */
BEGIN { @a[1][2] = count(); }
