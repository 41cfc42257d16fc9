/*@
 * what:    a character constant is an int, a char traces as a number
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace('a'); trace((char)'a'); trace('ab'); exit(0); }
