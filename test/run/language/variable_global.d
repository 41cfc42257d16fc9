/*@
 * what:    a global variable keeps its value between probe hits
 * needs:   profile
 */
BEGIN { n = 10; }
tick-5ms { n++; }
tick-5ms /n == 13/ { printf("%d\n", n); exit(0); }
END { printf("%d\n", n); }
