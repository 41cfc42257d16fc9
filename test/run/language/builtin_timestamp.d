/*@
 * what:    timestamp has one value within a clause, and a larger value in each later clause
 */
BEGIN { t = timestamp; printf("%d", timestamp - t); }
BEGIN { printf("%d", timestamp > t); printf("%d\n", timestamp - t < 1000000000000); }
BEGIN { printf("%d\n", walltimestamp > 1577836800000000000); exit(0); }
