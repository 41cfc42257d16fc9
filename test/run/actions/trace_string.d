/*@
 * what:    trace() prints a string after two blanks in 33 columns, and longer strings completely
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("short"); trace("a string that is longer than thirty-three columns"); trace(""); exit(0); }
