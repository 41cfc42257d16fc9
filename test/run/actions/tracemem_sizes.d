/*@
 * what:    the third argument limits what is shown; negative or large: everything; 0: nothing
 */
BEGIN { p = (char *)alloca(4); p[0] = (char)66; tracemem(p, 4, 1); tracemem(p, 4, -1); tracemem(p, 4, 9); tracemem(p, 4, 0); exit(0); }
