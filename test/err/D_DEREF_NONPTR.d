/* @tag: D_DEREF_NONPTR
 * @says: cannot dereference non-pointer type pid_t
 * @line: 5
 * * or [] on something that is no pointer */
BEGIN { trace(*pid); }
