/*@
 * what:    bcopy() can copy a whole string literal with its NUL, and raises a fault beyond it
 * stderr:  contains
 */
BEGIN { p = (char *)alloca(16); bcopy("hello", p, 6); printf("%s\n", stringof(p)); }
BEGIN { bcopy("ab", (char *)alloca(16), 4); }
ERROR { printf("%d %d\n", arg4, arg5); exit(0); }
