/*@
 * what:    a division by zero at run time prints one line on stderr and drops the clause's output
 */
BEGIN { z = 0; printf("lost %d\n", 1 / z); }
BEGIN { printf("still here\n"); exit(0); }
