/*@
 * what:    a division by zero at run time is a fault: one line on stderr, the clause's output dropped
 */
BEGIN { z = 0; printf("lost %d\n", 1 / z); }
BEGIN { printf("still here\n"); exit(0); }
