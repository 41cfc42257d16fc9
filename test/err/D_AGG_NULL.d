/* @tag: D_AGG_NULL
 * aggregation as statement */
BEGIN { @a = count(); @a; }
