/*@
 * what:    ipl compiles but faults when read
 * run:     -qs %file%
 */
BEGIN { trace(ipl); }
ERROR { printf("%d\n", arg4 == DTRACEFLT_ILLOP); exit(0); }
