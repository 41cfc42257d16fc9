/*@
 * what:    trace() pads a string to 33 columns after two blanks, and prints longer strings completely
 * run:     -x cpu=0 -s %file%
 * env:     DTRACE_REPRODUCIBLE=
 */
BEGIN { trace("short"); trace("a string that is longer than thirty-three columns"); trace(""); exit(0); }
