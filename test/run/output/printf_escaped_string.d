/*@
 * what:    %S escapes, and shows the end of the string
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%S\n", "a\tb\nc\"d\\e\001"); exit(0); }
