/*@
 * what:    what a clause did before its fault stays, except its records
 */
BEGIN { n = 1; @c = count(); printf("no\n"); z = 0; m = 1 / z; n = 2; @c = count(); }
BEGIN { printf("%d\n", n); exit(0); }
