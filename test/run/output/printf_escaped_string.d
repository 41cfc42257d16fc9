/*@
 * what:    %S prints nonprintable characters as escapes, and the terminating NUL as \0
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { printf("%S\n", "a\tb\nc\"d\\e\001"); exit(0); }
