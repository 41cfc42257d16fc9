/*@
 * what:    trace() of a string: two blanks, 33 columns, longer ones whole
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("short"); trace("a string that is longer than thirty-three columns"); trace(""); exit(0); }
