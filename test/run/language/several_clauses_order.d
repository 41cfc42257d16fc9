/*@
 * what:    clauses of a probe run in the order of the program, also if their probe descriptions have different forms
 */
dtrace:::BEGIN { printf("1"); }
:::BEGIN { printf("2"); }
BEGIN { printf("3"); }
dtrace:::BEGIN, END { printf("4\n"); }
BEGIN { exit(0); }
