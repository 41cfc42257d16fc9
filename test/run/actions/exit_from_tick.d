/*@
 * what:    a probe other than BEGIN ends the run
 * needs:   profile
 * status:  2
 */
BEGIN { printf("begin\n"); }
tick-20ms { printf("tick\n"); exit(2); }
END { printf("end\n"); }
