/*@
 * what:    clauses run in program order, whichever probe names them
 */
dtrace:::BEGIN { printf("1"); }
:::BEGIN { printf("2"); }
BEGIN { printf("3"); }
dtrace:::BEGIN, END { printf("4\n"); }
BEGIN { exit(0); }
