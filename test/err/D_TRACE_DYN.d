/* @tag: D_TRACE_DYN
 * @says: trace( ) may not be applied to a dynamic expression
 * @line: 5
 * trace() of an aggregation is an error */
BEGIN { @a = count(); trace(@a); }
