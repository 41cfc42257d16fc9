/*@
 * what:    side effects before a fault persist, but the clause's records are dropped
 */
BEGIN { n = 1; @c = count(); printf("no\n"); z = 0; m = 1 / z; n = 2; @c = count(); }
BEGIN { printf("%d\n", n); exit(0); }
