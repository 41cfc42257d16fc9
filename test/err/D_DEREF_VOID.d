/* @tag: D_DEREF_VOID
 * @says: cannot dereference pointer to void
 * @line: 5
 * dereferencing a void pointer is an error */
BEGIN { trace(*(void *)0); }
