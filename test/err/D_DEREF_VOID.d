/* @tag: D_DEREF_VOID
 * @says: cannot dereference pointer to void
 * @line: 5
 * * on void * */
BEGIN { trace(*(void *)0); }
