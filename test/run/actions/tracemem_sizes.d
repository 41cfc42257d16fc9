/*@
 * what:    the third argument of tracemem() limits the printed bytes: a negative or too large value prints all, 0 prints none
 */
BEGIN { p = (char *)alloca(4); p[0] = (char)66; tracemem(p, 4, 1); tracemem(p, 4, -1); tracemem(p, 4, 9); tracemem(p, 4, 0); exit(0); }
