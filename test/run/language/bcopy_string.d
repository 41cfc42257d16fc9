/*@
 * what:    a string may be copied from, as far as its own bytes go
 * stderr:  contains
 */
BEGIN { p = (char *)alloca(16); bcopy("hello", p, 6); printf("%s\n", stringof(p)); }
BEGIN { bcopy("ab", (char *)alloca(16), 4); }
ERROR { printf("%d %d\n", arg4, arg5); exit(0); }
