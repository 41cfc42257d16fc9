/* @tag: D_DEREF_FUNC
 * @says: cannot dereference pointer to function
 * @line: 5
 * dereferencing a function pointer is an error */
int (*f)(int); BEGIN { trace(*f); }
