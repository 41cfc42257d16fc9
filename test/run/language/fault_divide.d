/*@
 * what:    a division by zero at run time prints one error line and no output of its clause
 */
BEGIN { z = 0; printf("lost %d\n", 1 / z); }
BEGIN { printf("still here\n"); exit(0); }
