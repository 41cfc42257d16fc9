/* @tag: D_TRACE_DYN
 * @says: trace( ) may not be applied to a dynamic expression
 * @line: 5
 * trace() of a dynamic expression is an error */
BEGIN { @a = count(); trace(@a); }
