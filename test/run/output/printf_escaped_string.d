/*@
 * what:    %S escapes a string and shows its terminating NUL
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%S\n", "a\tb\nc\"d\\e\001"); exit(0); }
