/*@
 * what:    statements are separated by semicolons, and may be empty
 */
BEGIN { ; ; }
BEGIN { }
BEGIN { ; x = 1; ; x++; }
BEGIN { printf("%d\n", x); exit(0) }
