/*@
 * what:    clauses run in program order, whatever their probe descriptions
 */
dtrace:::BEGIN { printf("1"); }
:::BEGIN { printf("2"); }
BEGIN { printf("3"); }
dtrace:::BEGIN, END { printf("4\n"); }
BEGIN { exit(0); }
