/*@
 * what:    the third argument of tracemem() limits the output: negative or large values show everything, 0 shows nothing
 */
BEGIN { p = (char *)alloca(4); p[0] = (char)66; tracemem(p, 4, 1); tracemem(p, 4, -1); tracemem(p, 4, 9); tracemem(p, 4, 0); exit(0); }
