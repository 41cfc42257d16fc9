/* @tag: D_TRACE_VOID
 * trace of a void expression */
BEGIN { trace((void)0); }
