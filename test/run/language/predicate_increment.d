/*@
 * what:    a predicate can change a variable
 * needs:   profile
 */
tick-5ms /n++ > 2/ { printf("%d\n", n); exit(0); }
