/*@
 * what:    a clause may contain empty statements, and the last semicolon may be missing
 */
BEGIN { ; ; }
BEGIN { }
BEGIN { ; x = 1; ; x++; }
BEGIN { printf("%d\n", x); exit(0) }
