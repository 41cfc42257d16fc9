/*@
 * what:    a predicate such as n++ > 2 changes the variable each time
 * needs:   profile
 */
tick-5ms /n++ > 2/ { printf("%d\n", n); exit(0); }
