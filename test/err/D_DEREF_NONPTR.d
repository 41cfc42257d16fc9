/* @tag: D_DEREF_NONPTR
 * @says: cannot dereference non-pointer type pid_t
 * @line: 5
 * the operator * or [] on a value that is no pointer is an error */
BEGIN { trace(*pid); }
