/* @tag: D_DEREF_FUNC
 * @says: cannot dereference pointer to function
 * @line: 5
 * * on function pointer */
int (*f)(int); BEGIN { trace(*f); }
