/* @tag: D_TRACE_VOID
 * @says: trace( ) may not be applied to a void expression
 * @line: 5
 * trace() of a void expression is an error */
BEGIN { trace((void)0); }
