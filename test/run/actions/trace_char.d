/*@
 * what:    a character constant has type int, and trace() prints a char as a number
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace('a'); trace((char)'a'); trace('ab'); exit(0); }
