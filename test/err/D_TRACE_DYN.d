/* @tag: D_TRACE_DYN
 * trace of a dynamic expression */
BEGIN { @a = count(); trace(@a); }
