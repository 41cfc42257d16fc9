/* @tag: D_AGG_NULL
 * @says: expression has null effect: @a
 * @line: 5
 * aggregation as statement */
BEGIN { @a = count(); @a; }
