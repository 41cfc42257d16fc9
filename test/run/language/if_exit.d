/*@
 * what:    exit() in an arm
 * needs:   profile
 * status:  2
 */
tick-5ms { if (++n == 4) { printf("%d\n", n); exit(2); } }
