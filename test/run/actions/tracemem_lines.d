/*@
 * what:    tracemem() of a size that is not a multiple of 16 prints a partial last line
 */
BEGIN { p = (char *)alloca(20); p[0] = (char)65; p[16] = (char)126; p[17] = (char)127; tracemem(p, 20); exit(0); }
