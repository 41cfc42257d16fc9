/* @tag: D_AGG_NULL
 * @says: expression has null effect: @a
 * @line: 5
 * an aggregation alone as a statement is an error */
BEGIN { @a = count(); @a; }
