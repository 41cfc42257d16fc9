/*@
 * what:    exit() in a probe other than BEGIN ends the trace
 * needs:   profile
 * status:  2
 */
BEGIN { printf("begin\n"); }
tick-20ms { printf("tick\n"); exit(2); }
END { printf("end\n"); }
