/*@
 * what:    exit() works in a branch of an if
 * needs:   profile
 * status:  2
 */
tick-5ms { if (++n == 4) { printf("%d\n", n); exit(2); } }
