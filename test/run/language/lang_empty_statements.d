/*@
 * what:    semicolons separate statements, and statements may be empty
 */
BEGIN { ; ; }
BEGIN { }
BEGIN { ; x = 1; ; x++; }
BEGIN { printf("%d\n", x); exit(0) }
