/* @tag: D_DEREF_FUNC
 * * on function pointer */
int (*f)(int); BEGIN { trace(*f); }
