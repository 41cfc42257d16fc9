/*@
 * what:    a program that uses the variable ipl compiles, but reading ipl raises a fault
 * run:     -qs %file%
 */
BEGIN { trace(ipl); }
ERROR { printf("%d\n", arg4 == DTRACEFLT_ILLOP); exit(0); }
