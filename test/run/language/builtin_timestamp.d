/*@
 * what:    timestamp is constant within a clause and grows from clause to clause
 */
BEGIN { t = timestamp; printf("%d", timestamp - t); }
BEGIN { printf("%d", timestamp > t); printf("%d\n", timestamp - t < 1000000000000); }
BEGIN { printf("%d\n", walltimestamp > 1577836800000000000); exit(0); }
