/*@
 * what:    a fault discards the records of its clause, but earlier assignments and aggregation updates stay
 */
BEGIN { n = 1; @c = count(); printf("no\n"); z = 0; m = 1 / z; n = 2; @c = count(); }
BEGIN { printf("%d\n", n); exit(0); }
