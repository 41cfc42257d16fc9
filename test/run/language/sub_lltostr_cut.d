/*@
 * what:    lltostr() truncates its result to strsize
 */
#pragma D option strsize=3
BEGIN { printf("[%s]\n", lltostr(12345)); s = lltostr(-12345); printf("[%s]\n", s); exit(0); }
